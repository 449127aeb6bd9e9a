//! Sections of version 4.1: items in blocks, one for each entity of the geometry.

use super::super::MeshError;
use super::super::text::{TextLine, TextProgress, Word};
use super::{GmshReader, element_type, position};
use stiction_core::math::Vector;

impl<'a> GmshReader<'a> {
    pub(super) fn nodes_41(&mut self) -> Result<(), MeshError> {
        let mut progress = TextProgress::of("$Nodes", "nodes");
        let (head, blocks, total) = self.head_41(progress)?;
        progress.total = total;
        let mut nodes = Vec::with_capacity(self.text.room_for(total, 8));
        let mut numbers = Vec::new();
        for block in 0..blocks {
            let line = self.row(progress.of_blocks(block, blocks))?;
            let [dimension, tag, parametric, count] =
                line.exactly("dimension, tag, parametric flag and number of nodes in $Nodes")?;
            dimension.whole("an entity dimension")?;
            tag.integer("an entity tag")?;
            let parametric = parametric.whole("a parametric flag")? != 0;
            let count = block_count(count, progress)?;
            numbers.clear();
            for _ in 0..count {
                let [number] = self.row(progress)?.exactly("one node number in $Nodes")?;
                numbers.push(number.whole("a node number")?);
            }
            for &number in &numbers {
                let line = self.row(progress)?;
                let point = if parametric {
                    parametric_position(number, line)?
                } else {
                    position(number, line.exactly("x y z in $Nodes")?)?
                };
                nodes.push((number, line.number, point));
                progress.done += 1;
            }
        }
        check_total(head, progress)?;
        self.end("$EndNodes", progress)?;
        self.nodes = Some(nodes);
        Ok(())
    }

    pub(super) fn elements_41(&mut self) -> Result<(), MeshError> {
        let mut progress = TextProgress::of("$Elements", "elements");
        let (head, blocks, total) = self.head_41(progress)?;
        progress.total = total;
        let mut tets = Vec::with_capacity(self.text.room_for(total, 10));
        for block in 0..blocks {
            let line = self.row(progress.of_blocks(block, blocks))?;
            let [dimension, tag, kind, count] =
                line.exactly("dimension, tag, element type and number of elements in $Elements")?;
            dimension.whole("an entity dimension")?;
            tag.integer("an entity tag")?;
            let (kind, name, _, corners) = element_type(kind)?;
            for _ in 0..block_count(count, progress)? {
                let line = self.row(progress)?;
                let mut words = line.words();
                let number = words
                    .next()
                    .ok_or_else(|| line.wrong("expected an element number"))?
                    .whole("an element number")?;
                self.element(&mut tets, (kind, name, corners), number, line, words)?;
                progress.done += 1;
            }
        }
        check_total(head, progress)?;
        self.end("$EndElements", progress)?;
        self.tets = Some(tets);
        Ok(())
    }

    /// The first line of a 4.1 section: its line, number of blocks, number of items.
    fn head_41(&mut self, progress: TextProgress) -> Result<(TextLine<'a>, u64, u64), MeshError> {
        let line = self.row(progress)?;
        let [blocks, total, least, greatest] =
            line.exactly("number of blocks, total, least and greatest number")?;
        least.whole("the least number")?;
        greatest.whole("the greatest number")?;
        Ok((line, blocks.whole("the number of blocks")?, total.whole("the total number")?))
    }
}

/// Number of items in a 4.1 block, at most the number that its section announced.
fn block_count(word: Word, progress: TextProgress) -> Result<u64, MeshError> {
    let count = word.whole("the number of items of this block")?;
    let TextProgress { section, noun, done, total } = progress;
    if count > total - done {
        return Err(word.wrong(format!(
            "this block announces {count} {noun} after {done}, but {section} announces {total} in all"
        )));
    }
    Ok(count)
}

/// All blocks of a 4.1 section together hold what the section announced.
fn check_total(head: TextLine, progress: TextProgress) -> Result<(), MeshError> {
    let TextProgress { section, noun, done, total } = progress;
    if done == total {
        return Ok(());
    }
    Err(head.wrong(format!("{section} announces {total} {noun}, its blocks hold {done}")))
}

/// A position followed by one to three parameters on the geometry, which are not used.
fn parametric_position(number: u64, line: TextLine) -> Result<Vector, MeshError> {
    let mut words = line.words();
    let (Some(x), Some(y), Some(z)) = (words.next(), words.next(), words.next()) else {
        return Err(line.wrong("in $Nodes, expected x y z and parameters"));
    };
    let mut parameters = 0;
    for word in words {
        word.coordinate("a parameter")?;
        parameters += 1;
    }
    if parameters > 3 {
        return Err(line.wrong(format!(
            "in $Nodes, expected x y z and at most 3 parameters, found {parameters}"
        )));
    }
    position(number, [x, y, z])
}
