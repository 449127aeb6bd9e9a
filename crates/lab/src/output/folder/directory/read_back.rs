//! Reads back files as written: a disk may report bytes as written that it did not write.

use super::{JOURNAL, OutputError, RunDirectory, io_of};
use crate::output::folder::growing::Piece;
use crate::output::folder::journal;
use crate::output::folder::manifest::Digest;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

impl RunDirectory {
    /// Reads every data file and the journal back and compares them with the checksums of the
    /// written bytes; returns their lengths and checksums.
    ///
    /// # Errors
    /// The first file that differs.
    pub(super) fn read_back(&mut self) -> Result<BTreeMap<String, Digest>, OutputError> {
        let torn = |path: &Path| OutputError::Io {
            path: path.to_path_buf(),
            cause: io::Error::other("what was written does not read back the same"),
        };
        let path = self.journal.path().to_path_buf();
        let bytes = self.files.read(&path).map_err(io_of(&path))?;
        let crc32 = self.journal_crc.clone().finalize();
        let own = Digest { bytes: self.journal.length(), crc32 };
        if Digest::of(&bytes) != own {
            return Err(torn(&path));
        }
        let mut digests = BTreeMap::from([(JOURNAL.to_string(), own)]);
        let entries = journal::read(&bytes).entries;
        let names = self.manifest.data.clone();
        for (number, file) in self.data().enumerate() {
            let pieces: Vec<Piece> =
                entries.iter().map(|(entry, _)| entry.pieces[number]).collect();
            let digest = file.check(&pieces)?.map_err(|_| torn(file.path()))?;
            digests.insert(names[number].clone(), digest);
        }
        for array in self.trajectory.arrays() {
            if !array.counts()? {
                return Err(torn(array.file.path()));
            }
        }
        Ok(digests)
    }
}
