// Tables can be sorted by a click on a title. Without this script they are
// in the order of the suite.
for (const table of document.querySelectorAll("table.sortable")) {
  const head = [...table.tHead.rows].at(-1);
  [...head.cells].forEach((cell) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...cell.childNodes);
    cell.append(button);
    button.addEventListener("click", () => {
      const column = Number(cell.dataset.column);
      const down = cell.getAttribute("aria-sort") === "ascending";
      for (const other of head.cells) other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
      const compare = (a, b) => {
        const [x, y] = [key(a), key(b)];
        const [m, n] = [Number(x), Number(y)];
        const both = x !== "" && y !== "" && !Number.isNaN(m) && !Number.isNaN(n);
        return both ? m - n : x.localeCompare(y, undefined, { numeric: true });
      };
      const rows = [...table.tBodies[0].rows].sort(compare);
      if (down) rows.reverse();
      table.tBodies[0].append(...rows);
    });
  });
}
