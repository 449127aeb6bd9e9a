//! MuJoCo's XML (MJCF) as the text of a scene, and a list of the parts without a counterpart in
//! scenes.

pub mod attributes;
mod flex;
mod reading;
mod write;

pub use attributes::Fault;

/// A scene imported from a model.
#[derive(Debug)]
pub struct Imported {
    /// The scene, TOML of format 1.
    pub text: String,
    /// Everything left out: line of the XML, and the reason.
    pub left_out: Vec<(u32, String)>,
    /// Ends of the parts of the text that geoms make, each with line and column of its geom.
    origins: Vec<(usize, [u32; 2])>,
    /// End of the part before them.
    head: usize,
}

impl Imported {
    /// Line and column of the geom that made the text at a byte.
    pub fn origin(&self, at: usize) -> Option<[u32; 2]> {
        let next = self.origins.partition_point(|(end, _)| *end <= at);
        self.origins.get(next).filter(|_| at >= self.head).map(|(_, place)| *place)
    }
}

/// Largest text of a model \[bytes\], largest number of its elements and texts between them, deepest
/// nesting, and most attributes of an element, each of which is compared with all others.
pub const LARGEST: usize = 16 << 20;
const MOST: u32 = 1_000_000;
const DEEPEST: usize = 200;
const ATTRIBUTES: usize = 1000;

/// The elements of a model.
///
/// # Errors
/// XML that is not well-formed, too large or nested too deeply, with line and column.
pub fn parse(xml: &str) -> Result<roxmltree::Document<'_>, Fault> {
    let fail = |message: String| Fault { line: 1, column: 1, message };
    if xml.len() > LARGEST {
        return Err(fail(format!("it has more than {} MB", LARGEST >> 20)));
    }
    let [deepest, attributes] = extent(xml);
    if attributes > ATTRIBUTES {
        return Err(fail(format!("an element has more than {ATTRIBUTES} attributes")));
    }
    if deepest > DEEPEST {
        return Err(fail(format!("its elements are nested more than {DEEPEST} deep")));
    }
    let options = roxmltree::ParsingOptions { nodes_limit: MOST, ..Default::default() };
    roxmltree::Document::parse_with_options(xml, options).map_err(|error| {
        let at = error.pos();
        let message = match error {
            roxmltree::Error::NodesLimitReached => {
                format!("it has more than {MOST} elements and texts between them")
            }
            _ => error.to_string(),
        };
        Fault { line: at.row, column: at.col, message }
    })
}

/// The deepest nesting of elements and their largest number of attributes, by the tags alone; texts that are no
/// XML have some numbers.
fn extent(xml: &str) -> [usize; 2] {
    let (mut depth, mut deepest, mut attributes, mut rest) = (0usize, 0usize, 0usize, xml);
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        let end = |sign: &str| rest.find(sign).map_or(rest.len(), |end| end + sign.len());
        let (length, change) = match rest.as_bytes().get(1) {
            _ if rest.starts_with("<!--") => (end("-->"), 0),
            _ if rest.starts_with("<![CDATA[") => (end("]]>"), 0),
            Some(b'!' | b'?') => (end(">"), 0),
            Some(b'/') => (end(">"), -1),
            _ => {
                let (length, signs) = tag(rest);
                attributes = attributes.max(signs);
                (length, i32::from(!rest[..length].ends_with("/>")))
            }
        };
        depth = depth.saturating_add_signed(change as isize);
        deepest = deepest.max(depth);
        rest = &rest[length..];
    }
    [deepest, attributes]
}

/// The length of a tag \[bytes\], and the number of its signs `=`, of which each attribute has one: both
/// outside quotation marks, within which values may hold any signs.
fn tag(text: &str) -> (usize, usize) {
    let (mut quote, mut signs) = (None, 0);
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return (at + 1, signs),
            (None, b'=') => signs += 1,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    (text.len(), signs)
}

/// The scene of a model.
///
/// # Errors
/// XML that [`parse`] refuses, and values that MJCF does not allow, with line and column.
pub fn import(xml: &str) -> Result<Imported, Fault> {
    let document = parse(xml)?;
    let model = reading::read(&document)?;
    let written = write::scene(&model);
    Ok(Imported {
        text: written.text,
        left_out: model.left_out,
        origins: written.origins,
        head: written.head,
    })
}
