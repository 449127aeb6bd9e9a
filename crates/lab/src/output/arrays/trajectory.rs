//! The arrays of a results folder that grow by one row per frame: names, layouts, and rows of a
//! frame.

use super::contact_rows;
use super::npy::{GrowingArray, Layout};
use super::table::{self, FrameView, ParticleArray};
use crate::output::folder::files::Files;
use crate::output::folder::growing::Piece;
use std::io;
use std::path::Path;
use stiction_scene::sections::Output;

/// The table of measures, the first of the growing files.
pub const MEASURES: &str = "measures.csv";

/// The array of times.
pub const TIME: &str = "trajectory/time.npy";

/// The array of positions.
pub const POSITION: &str = "trajectory/position.npy";

/// Content of one array.
#[derive(Clone, Copy)]
enum Content {
    Time,
    Particles(&'static ParticleArray),
    Contacts,
}

impl Content {
    fn layout(self, particles: usize) -> Layout {
        match self {
            Content::Time => Layout::numbers(&[]),
            Content::Particles(array) => Layout::numbers(&array.inner(particles)),
            Content::Contacts => Layout {
                descr: contact_rows::descr(),
                item: contact_rows::length(),
                inner: Vec::new(),
            },
        }
    }

    fn file(self) -> String {
        match self {
            Content::Time => TIME.into(),
            Content::Particles(array) => array.file(),
            Content::Contacts => contact_rows::FILE.into(),
        }
    }
}

fn contents(contacts: bool) -> Vec<Content> {
    let mut all = vec![Content::Time];
    all.extend(table::recorded(contacts).map(Content::Particles));
    all.extend(contacts.then_some(Content::Contacts));
    all
}

/// Names of the growing files, with or without those of contacts; the table of measures first.
pub(crate) fn data_of(contacts: bool) -> Vec<String> {
    let arrays = contents(contacts).into_iter().map(Content::file);
    std::iter::once(MEASURES.into()).chain(arrays).collect()
}

/// The layout of a file of this name; none if it is not an array.
pub(crate) fn layout_of(name: &str, particles: usize) -> Option<Layout> {
    let found = contents(true).into_iter().find(|content| content.file() == name);
    found.map(|content| content.layout(particles))
}

/// The open arrays of a run.
pub(crate) struct Trajectory {
    contents: Vec<Content>,
    arrays: Vec<GrowingArray>,
    row: Vec<u8>,
}

impl Trajectory {
    /// Creates the arrays without rows.
    pub fn create(
        files: &dyn Files,
        path: &Path,
        output: &Output,
        particles: usize,
    ) -> io::Result<Self> {
        let contents = contents(output.contacts);
        let create = |content: &Content| {
            GrowingArray::create(files, &path.join(content.file()), content.layout(particles))
        };
        let arrays = contents.iter().map(create).collect::<io::Result<_>>()?;
        Ok(Trajectory { contents, arrays, row: Vec::new() })
    }

    /// Opens arrays with the pieces of earlier frames: `pieces[k]` are those of array k. The inner
    /// error names the first frame that has changed.
    pub fn open(
        files: &dyn Files,
        path: &Path,
        output: &Output,
        particles: usize,
        pieces: &[Vec<Piece>],
    ) -> io::Result<Result<Self, String>> {
        let contents = contents(output.contacts);
        let mut arrays = Vec::new();
        for (content, pieces) in contents.iter().zip(pieces) {
            let (name, layout) = (content.file(), content.layout(particles));
            let bytes: u64 = pieces.iter().map(|piece| piece.end.saturating_sub(piece.start)).sum();
            let rows = bytes as usize / layout.row().max(1);
            let mut array = GrowingArray::open(files, &path.join(&name), layout, rows)?;
            if let Err(frame) = array.file.check(pieces)? {
                return Ok(Err(format!("frame {frame} of `{name}` is not what it was then")));
            }
            arrays.push(array);
        }
        Ok(Ok(Trajectory { contents, arrays, row: Vec::new() }))
    }

    /// Adds a frame; returns the piece added to each array.
    pub fn push(&mut self, view: &FrameView, frame: usize) -> io::Result<Vec<Piece>> {
        let simulation = view.simulation;
        let mut pieces = Vec::with_capacity(self.arrays.len());
        for (content, array) in self.contents.iter().zip(&mut self.arrays) {
            pieces.push(match content {
                Content::Time => array.push_numbers(&[simulation.state.time])?,
                Content::Particles(of) => array.push_numbers(&of.values(view))?,
                Content::Contacts => {
                    self.row.clear();
                    let (model, state) = (&simulation.model, &simulation.state);
                    contact_rows::add_rows(model, state, frame, &mut self.row);
                    array.push(&self.row)?
                }
            });
        }
        Ok(pieces)
    }

    /// The arrays, in the order of their pieces.
    pub fn arrays(&mut self) -> &mut [GrowingArray] {
        &mut self.arrays
    }

    /// The array with a file name.
    pub fn named(&mut self, name: &str) -> Option<&mut GrowingArray> {
        let number = self.contents.iter().position(|content| content.file() == name)?;
        self.arrays.get_mut(number)
    }
}
