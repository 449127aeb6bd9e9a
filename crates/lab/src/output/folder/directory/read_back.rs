//! Reads back files as written: a disk may report bytes as written that it did not write.

use super::{OutputError, RunDirectory, io_of};
use crate::output::folder::digest::Digest;
use crate::output::folder::growing::Piece;
use crate::output::folder::journal;
use crate::output::folder::names::JOURNAL;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

impl RunDirectory {
    /// Reads every file and the journal back and compares them with the checksums of the written
    /// bytes; returns their lengths and digests, without those of single frames.
    ///
    /// # Errors
    /// The first file that differs.
    pub(super) fn read_back(&mut self) -> Result<BTreeMap<String, Digest>, OutputError> {
        let torn = |path: &Path| OutputError::Io {
            path: path.to_path_buf(),
            cause: io::Error::other("what was written does not read back the same"),
        };
        let path = self.journal.path().to_path_buf();
        let bytes = journal::load(&*self.files, &path).map_err(io_of(&path))?;
        let own = journal::read(&bytes);
        if own.damaged_at.is_some()
            || own.link != self.link
            || bytes.len() as u64 != self.journal.length()
        {
            return Err(torn(&path));
        }
        let mut digests = BTreeMap::from([(JOURNAL.to_string(), Digest::of(&bytes))]);
        let entries = own.entries;
        let names = self.manifest.data.clone();
        for (number, file) in self.data().enumerate() {
            let pieces: Vec<Piece> = entries.iter().map(|entry| entry.pieces[number]).collect();
            let digest = file.check(&pieces)?.map_err(|_| torn(file.path()))?;
            digests.insert(names[number].clone(), digest);
        }
        for array in self.trajectory.arrays() {
            if !array.counts()? {
                return Err(torn(array.file.path()));
            }
        }
        digests.extend(self.shown.read_back(&entries).map_err(|path| torn(&path))?);
        Ok(digests)
    }
}
