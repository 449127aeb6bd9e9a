//! Sections of version 2.2: a list of items each.

use super::super::MeshError;
use super::super::text::TextProgress;
use super::{GmshReader, element_type, position};

impl GmshReader<'_> {
    pub(super) fn nodes_22(&mut self) -> Result<(), MeshError> {
        let mut progress = TextProgress::of("$Nodes", "nodes");
        let [count] = self.row(progress)?.exactly("the number of nodes")?;
        progress.total = count.whole("the number of nodes")?;
        let mut nodes = Vec::with_capacity(self.text.room_for(progress.total, 8));
        while progress.done < progress.total {
            let line = self.row(progress)?;
            let [number, x, y, z] = line.exactly("a node number and x y z in $Nodes")?;
            let number = number.whole("a node number")?;
            nodes.push((number, line.number, position(number, [x, y, z])?));
            progress.done += 1;
        }
        self.end("$EndNodes", progress)?;
        self.nodes = Some(nodes);
        Ok(())
    }

    pub(super) fn elements_22(&mut self) -> Result<(), MeshError> {
        let mut progress = TextProgress::of("$Elements", "elements");
        let [count] = self.row(progress)?.exactly("the number of elements")?;
        progress.total = count.whole("the number of elements")?;
        let mut tets = Vec::with_capacity(self.text.room_for(progress.total, 12));
        while progress.done < progress.total {
            let line = self.row(progress)?;
            let mut words = line.words();
            let mut next = |what: &str| {
                words.next().ok_or_else(|| {
                    line.wrong(format!("in $Elements, the line ends where {what} is expected"))
                })
            };
            let number = next("an element number")?.whole("an element number")?;
            let (kind, name, _, corners) = element_type(next("an element type")?)?;
            let tags = next("the number of tags")?.whole("the number of tags")?;
            for _ in 0..tags {
                next("a tag")?.integer("a tag")?;
            }
            let rest = words;
            self.element(&mut tets, (kind, name, corners), number, line, rest)?;
            progress.done += 1;
        }
        self.end("$EndElements", progress)?;
        self.tets = Some(tets);
        Ok(())
    }
}
