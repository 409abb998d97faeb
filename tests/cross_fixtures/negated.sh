#!/bin/sh
# A translator that negates its input, for tests of `lwaa cross`.
# Arguments: the program, the format, the formula.
exec "$1" translate "!($3)" --to nba --format "$2"
