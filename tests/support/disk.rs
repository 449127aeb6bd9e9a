//! A disk that loses power: what was not synced is kept, dropped or garbled at random.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use stiction_lab::output::folder::files::{Files, Handle};

/// Numbers from a seed: xorshift, for choices in tests alone.
#[derive(Clone)]
pub struct Chance(u64);

impl Chance {
    pub fn of(seed: u64) -> Self {
        Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        for shift in [13, -7_i32, 17] {
            self.0 ^= if shift > 0 { self.0 << shift } else { self.0 >> -shift };
        }
        (self.0 >> 11) % end
    }
}

/// A sync that a broken program would leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forgotten {
    /// Of data files that grow, and of the journal.
    Data,
    /// Of a file that is then renamed to this ending.
    Half(&'static str),
    /// Of the folder of this name.
    Folder(&'static str),
}

#[derive(Clone)]
enum Change {
    At(u64, Vec<u8>),
    Length(u64),
}

#[derive(Clone, Default)]
struct Content {
    live: Vec<u8>,
    durable: Vec<u8>,
    pending: Vec<Change>,
}

#[derive(Clone)]
enum Name {
    Is(PathBuf, usize),
    Gone(PathBuf),
    Moved(PathBuf, PathBuf, usize),
    Folder(PathBuf),
}

#[derive(Clone, Default)]
struct Inner {
    contents: Vec<Content>,
    names: BTreeMap<PathBuf, usize>,
    folders: BTreeSet<PathBuf>,
    durable_names: BTreeMap<PathBuf, usize>,
    durable_folders: BTreeSet<PathBuf>,
    pending: Vec<Name>,
    syncs: usize,
    /// the sync before which power is lost
    last: Option<usize>,
    forgotten: Option<Forgotten>,
    dead: bool,
}

/// The disk; clones are the same one.
#[derive(Clone, Default)]
pub struct FailingDisk(Arc<Mutex<Inner>>);

impl FailingDisk {
    /// A disk on which this folder is there.
    pub fn with(folder: &str) -> Self {
        let disk = FailingDisk::default();
        let mut inner = disk.inner();
        inner.folders = Path::new(folder).ancestors().map(Path::to_path_buf).collect();
        inner.durable_folders = inner.folders.clone();
        drop(inner);
        disk
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().expect("one thread")
    }

    /// Loses power before the sync of this number.
    pub fn fail_at(&self, sync: usize) {
        self.inner().last = Some(sync);
    }

    /// Leaves a sync out.
    pub fn forget(&self, what: Forgotten) {
        self.inner().forgotten = Some(what);
    }

    /// Number of syncs so far.
    pub fn syncs(&self) -> usize {
        self.inner().syncs
    }

    /// All files with their content.
    pub fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let inner = self.inner();
        inner.names.iter().map(|(p, n)| (p.clone(), inner.contents[*n].live.clone())).collect()
    }

    /// The disk as it is found when power is back.
    pub fn after_failure(&self, seed: u64) -> FailingDisk {
        let (inner, mut chance) = (self.inner().clone(), Chance::of(seed));
        let mut next = Inner {
            names: inner.durable_names,
            folders: inner.durable_folders,
            forgotten: inner.forgotten,
            ..Inner::default()
        };
        for name in &inner.pending {
            if chance.below(2) == 0 {
                name.apply(&mut next.names, &mut next.folders);
            }
        }
        for content in &inner.contents {
            let mut found = content.durable.clone();
            for change in &content.pending {
                match (chance.below(3), change) {
                    (0, _) => {}
                    (1, Change::At(at, bytes)) => {
                        let garbled = bytes.iter().map(|_| chance.below(256) as u8).collect();
                        Change::At(*at, garbled).apply(&mut found);
                    }
                    _ => change.apply(&mut found),
                }
            }
            next.contents.push(Content { live: found.clone(), durable: found, pending: vec![] });
        }
        // files in a folder that is gone are gone
        let Inner { names, folders, .. } = &mut next;
        let all = folders.clone();
        folders.retain(|folder| folder.ancestors().all(|above| all.contains(above)));
        names.retain(|path, _| path.parent().is_some_and(|folder| folders.contains(folder)));
        next.durable_names.clone_from(&next.names);
        next.durable_folders.clone_from(&next.folders);
        FailingDisk(Arc::new(Mutex::new(next)))
    }
}

impl Change {
    fn apply(&self, to: &mut Vec<u8>) {
        match self {
            Change::Length(length) => to.resize(*length as usize, 0),
            Change::At(at, bytes) => {
                let end = *at as usize + bytes.len();
                if to.len() < end {
                    to.resize(end, 0);
                }
                to[*at as usize..end].copy_from_slice(bytes);
            }
        }
    }
}

impl Name {
    fn apply(&self, names: &mut BTreeMap<PathBuf, usize>, folders: &mut BTreeSet<PathBuf>) {
        match self {
            Name::Is(path, number) => {
                names.insert(path.clone(), *number);
            }
            Name::Gone(path) => {
                names.remove(path);
            }
            Name::Moved(from, to, number) => {
                names.remove(from);
                names.insert(to.clone(), *number);
            }
            Name::Folder(path) => {
                folders.insert(path.clone());
            }
        }
    }

    fn is_in(&self, folder: &Path) -> bool {
        let (Name::Is(path, _) | Name::Gone(path) | Name::Moved(_, path, _) | Name::Folder(path)) =
            self;
        path.parent() == Some(folder)
    }
}

impl Inner {
    fn alive(&self) -> io::Result<()> {
        if self.dead { Err(io::Error::other("no power")) } else { Ok(()) }
    }

    /// Counts a sync; power may be lost before it.
    fn sync(&mut self) -> io::Result<()> {
        self.alive()?;
        if self.last == Some(self.syncs) {
            self.dead = true;
        }
        self.syncs += 1;
        self.alive()
    }

    fn name(&mut self, name: Name) {
        name.apply(&mut self.names, &mut self.folders);
        self.pending.push(name);
    }

    fn change(&mut self, number: usize, change: Change) {
        change.apply(&mut self.contents[number].live);
        self.contents[number].pending.push(change);
    }
}

fn absent() -> io::Error {
    io::ErrorKind::NotFound.into()
}

impl Files for FailingDisk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn Handle>> {
        let mut inner = self.inner();
        inner.alive()?;
        if !path.parent().is_some_and(|folder| inner.folders.contains(folder)) {
            return Err(absent());
        }
        let number = match inner.names.get(path) {
            Some(number) => {
                let number = *number;
                inner.change(number, Change::Length(0));
                number
            }
            None => {
                inner.contents.push(Content::default());
                let number = inner.contents.len() - 1;
                inner.name(Name::Is(path.to_path_buf(), number));
                number
            }
        };
        Ok(Box::new(Open { disk: self.clone(), number, path: path.to_path_buf() }))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn Handle>> {
        let inner = self.inner();
        inner.alive()?;
        let number = *inner.names.get(path).ok_or_else(absent)?;
        Ok(Box::new(Open { disk: self.clone(), number, path: path.to_path_buf() }))
    }

    fn view(&self, path: &Path) -> io::Result<Box<dyn Handle>> {
        self.open(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut inner = self.inner();
        inner.alive()?;
        let number = *inner.names.get(from).ok_or_else(absent)?;
        inner.name(Name::Moved(from.to_path_buf(), to.to_path_buf(), number));
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let mut inner = self.inner();
        inner.alive()?;
        if inner.names.contains_key(path) {
            inner.name(Name::Gone(path.to_path_buf()));
        }
        Ok(())
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        let mut inner = self.inner();
        inner.alive()?;
        for folder in path.ancestors().collect::<Vec<_>>().into_iter().rev() {
            if !inner.folders.contains(folder) {
                inner.name(Name::Folder(folder.to_path_buf()));
            }
        }
        Ok(())
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        let inner = self.inner();
        inner.alive()?;
        let names = inner.names.keys().filter(|name| name.parent() == Some(path));
        let text = |name: &PathBuf| name.file_name().map(|n| n.to_string_lossy().into_owned());
        Ok(names.filter_map(text).collect())
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        let mut inner = self.inner();
        inner.sync()?;
        if let Some(Forgotten::Folder(name)) = inner.forgotten
            && path.ends_with(name)
        {
            return Ok(());
        }
        let Inner { pending, durable_names, durable_folders, .. } = &mut *inner;
        pending.retain(|name| {
            let here = name.is_in(path);
            if here {
                name.apply(durable_names, durable_folders);
            }
            !here
        });
        Ok(())
    }
}

struct Open {
    disk: FailingDisk,
    number: usize,
    path: PathBuf,
}

impl Handle for Open {
    fn length(&mut self) -> io::Result<u64> {
        let inner = self.disk.inner();
        inner.alive()?;
        Ok(inner.contents[self.number].live.len() as u64)
    }

    fn read_at(&mut self, at: u64, into: &mut [u8]) -> io::Result<()> {
        let inner = self.disk.inner();
        inner.alive()?;
        let live = &inner.contents[self.number].live;
        let found = live.get(at as usize..at as usize + into.len());
        into.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn write_at(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        let mut inner = self.disk.inner();
        inner.alive()?;
        inner.change(self.number, Change::At(at, bytes.to_vec()));
        Ok(())
    }

    fn set_length(&mut self, length: u64) -> io::Result<()> {
        let mut inner = self.disk.inner();
        inner.alive()?;
        inner.change(self.number, Change::Length(length));
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        let mut inner = self.disk.inner();
        inner.sync()?;
        let name = self.path.to_string_lossy();
        let skipped = match inner.forgotten {
            Some(Forgotten::Data) => !name.ends_with(".tmp"),
            Some(Forgotten::Half(ending)) => name.ends_with(&format!("{ending}.tmp")),
            _ => false,
        };
        if !skipped {
            let content = &mut inner.contents[self.number];
            content.durable.clone_from(&content.live);
            content.pending.clear();
        }
        Ok(())
    }
}
