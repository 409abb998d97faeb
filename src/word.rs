//! Atoms, letters and lassos: the words that every room shares.
//!
//! An infinite word is a sequence of [`Letter`]s, each a total valuation of
//! the atoms. The only infinite words we ever hold are ultimately periodic:
//! [`Lasso`]s.

mod distance;

use crate::id::{Id, IdVec, define_id};
use hashbrown::HashTable;
use std::hash::BuildHasher;
use std::sync::Arc;

pub use distance::Distance;

define_id! {
    /// An atomic proposition, as numbered by [`Atoms`].
    pub struct AtomId;
}

/// The atomic propositions of a formula, numbered in the order of their first
/// occurrence.
///
/// Every form of a formula has its atoms, so clones share one table until a
/// name is added to one of them.
#[derive(Clone, Default)]
pub struct Atoms(Arc<NameTable>);

#[derive(Clone, Default)]
struct NameTable {
    /// All names, one behind the other.
    text: String,
    /// Where each name ends; it begins where the one before ends.
    ends: IdVec<AtomId, usize>,
    by_name: HashTable<AtomId>,
}

impl NameTable {
    fn name(&self, atom: AtomId) -> &str {
        name(&self.text, &self.ends, atom)
    }
}

fn name<'a>(text: &'a str, ends: &IdVec<AtomId, usize>, atom: AtomId) -> &'a str {
    let start = atom.index().checked_sub(1).map_or(0, |before| ends[AtomId::new(before)]);
    &text[start..ends[atom]]
}

impl Atoms {
    /// The atom called `name`, numbered now if it is new.
    pub fn intern(&mut self, name: &str) -> AtomId {
        self.find(name).unwrap_or_else(|| {
            let NameTable { text, ends, by_name } = Arc::make_mut(&mut self.0);
            text.push_str(name);
            let id = ends.push(text.len());
            by_name.insert_unique(hash(name), id, |&id| hash(self::name(text, ends, id)));
            id
        })
    }

    /// The atom called `name`, if it has been numbered.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<AtomId> {
        self.0.by_name.find(hash(name), |&id| self.0.name(id) == name).copied()
    }

    /// The name of `atom`.
    #[must_use]
    pub fn name(&self, atom: AtomId) -> &str {
        self.0.name(atom)
    }

    /// How many atoms there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.ends.len()
    }

    /// Whether there is no atom.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.ends.is_empty()
    }

    /// All atoms with their names, in the order of their numbers.
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (AtomId, &str)> + ExactSizeIterator {
        self.0.ends.ids().map(|id| (id, self.0.name(id)))
    }
}

impl std::fmt::Debug for Atoms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter().map(|(_, name)| name)).finish()
    }
}

/// Two tables are equal when they number the same names in the same way.
impl PartialEq for Atoms {
    fn eq(&self, other: &Self) -> bool {
        self.0.ends == other.0.ends && self.0.text == other.0.text
    }
}

impl Eq for Atoms {}

/// The hash of everything that is interned: fast, and the same in every run.
pub(crate) fn hash<T: std::hash::Hash + ?Sized>(value: &T) -> u64 {
    rustc_hash::FxBuildHasher.hash_one(value)
}

/// A total valuation of the atoms. Atoms that have never been set are false.
#[derive(Clone, Debug, Default)]
pub struct Letter {
    bits: Vec<u64>,
}

impl Letter {
    /// The letter in which every atom is false.
    #[must_use]
    pub const fn new() -> Self {
        Self { bits: Vec::new() }
    }

    /// Whether `atom` is true in this letter.
    #[must_use]
    pub fn contains(&self, atom: AtomId) -> bool {
        let index = atom.index();
        self.bits.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// Makes `atom` true or false.
    pub fn set(&mut self, atom: AtomId, value: bool) {
        let (word, bit) = (atom.index() / 64, 1 << (atom.index() % 64));
        if value {
            if self.bits.len() <= word {
                self.bits.resize(word + 1, 0);
            }
            self.bits[word] |= bit;
        } else if let Some(word) = self.bits.get_mut(word) {
            *word &= !bit;
        }
    }

    /// The atoms that are true, in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = AtomId> + '_ {
        self.bits.iter().enumerate().flat_map(|(word, &bits)| {
            (0..64)
                .filter(move |bit| bits >> bit & 1 == 1)
                .map(move |bit| AtomId::new(word * 64 + bit))
        })
    }

    /// The valuation without trailing words of false atoms.
    fn significant(&self) -> &[u64] {
        let len = self.bits.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
        &self.bits[..len]
    }
}

impl PartialEq for Letter {
    fn eq(&self, other: &Self) -> bool {
        self.significant() == other.significant()
    }
}

impl Eq for Letter {}

impl std::hash::Hash for Letter {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.significant().hash(state);
    }
}

impl FromIterator<AtomId> for Letter {
    fn from_iter<I: IntoIterator<Item = AtomId>>(atoms: I) -> Self {
        let mut letter = Self::new();
        for atom in atoms {
            letter.set(atom, true);
        }
        letter
    }
}

/// An ultimately periodic sequence: `prefix` once, then `cycle` for ever.
///
/// ```
/// use lwaa::word::Lasso;
/// let lasso = Lasso::new(vec!['a'], vec!['b', 'c']).expect("the cycle is not empty");
/// assert_eq!(*lasso.at(4), 'c');
/// assert!(Lasso::<char>::new(vec!['a'], vec![]).is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lasso<T> {
    prefix: Vec<T>,
    /// Not empty.
    cycle: Vec<T>,
}

impl<T> Lasso<T> {
    /// The lasso made of both parts, unless `cycle` is empty.
    #[must_use]
    pub fn new(prefix: Vec<T>, cycle: Vec<T>) -> Option<Self> {
        (!cycle.is_empty()).then_some(Self { prefix, cycle })
    }

    /// The part that is read once.
    #[must_use]
    pub fn prefix(&self) -> &[T] {
        &self.prefix
    }

    /// The part that is repeated for ever; never empty.
    #[must_use]
    pub fn cycle(&self) -> &[T] {
        &self.cycle
    }

    /// The elements at the distinct positions: prefix, then cycle.
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.prefix.iter().chain(&self.cycle)
    }

    /// The number of distinct positions.
    #[must_use]
    pub fn n_positions(&self) -> usize {
        self.prefix.len() + self.cycle.len()
    }

    /// The element at `position` of the infinite sequence.
    #[must_use]
    pub fn at(&self, position: usize) -> &T {
        match position.checked_sub(self.prefix.len()) {
            None => &self.prefix[position],
            Some(beyond) => &self.cycle[beyond % self.cycle.len()],
        }
    }

    /// The distinct position that `position` of the infinite sequence is, from
    /// where on the sequence is the same.
    #[must_use]
    pub fn distinct(&self, position: usize) -> usize {
        match position.checked_sub(self.prefix.len()) {
            None => position,
            Some(beyond) => self.prefix.len() + beyond % self.cycle.len(),
        }
    }

    /// The distinct position that follows the distinct `position`.
    #[must_use]
    pub fn next(&self, position: usize) -> usize {
        if position + 1 < self.n_positions() { position + 1 } else { self.prefix.len() }
    }

    /// The same lasso with `change` applied to every element.
    pub fn map<U>(&self, change: impl FnMut(&T) -> U) -> Lasso<U> {
        let mut all: Vec<U> = self.prefix.iter().chain(&self.cycle).map(change).collect();
        let cycle = all.split_off(self.prefix.len());
        Lasso { prefix: all, cycle }
    }

    /// The shortest lasso for the same infinite sequence.
    ///
    /// ```
    /// use lwaa::word::Lasso;
    /// let long = Lasso::new(vec!['a', 'c'], vec!['b', 'c', 'b', 'c']).expect("not empty");
    /// assert_eq!(long.shortened(), Lasso::new(vec!['a'], vec!['c', 'b']).expect("not empty"));
    /// ```
    #[must_use]
    pub fn shortened(mut self) -> Self
    where
        T: PartialEq,
    {
        self.cycle.truncate(period(&self.cycle));
        // A prefix that ends like the cycle can be read as part of the cycle.
        let mut rolled = 0;
        let n = self.cycle.len();
        while self.prefix.last().is_some_and(|last| *last == self.cycle[n - 1 - rolled % n]) {
            self.prefix.pop();
            rolled += 1;
        }
        self.cycle.rotate_right(rolled % n);
        self
    }
}

/// The length of the shortest word of which `word` is a power.
fn period<T: PartialEq>(word: &[T]) -> usize {
    // The failure function of Knuth, Morris and Pratt: `borders[i]` is the
    // length of the longest proper prefix of `word[..=i]` that is its suffix.
    let mut borders = vec![0; word.len()];
    for position in 1..word.len() {
        let mut border: usize = borders[position - 1];
        while 0 < border && word[border] != word[position] {
            border = borders[border - 1];
        }
        borders[position] = border + usize::from(word[border] == word[position]);
    }
    let candidate = word.len() - borders.last().copied().unwrap_or(0);
    if word.len().is_multiple_of(candidate.max(1)) { candidate } else { word.len() }
}
