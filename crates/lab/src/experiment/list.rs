//! Lists as written on the command line.

/// Splits at a character outside quotation marks and brackets, into at most `most` parts.
pub fn split(text: &str, at: char, most: usize) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quote) = (Vec::new(), 0, 0usize, None);
    for (place, c) in text.char_indices() {
        match (c, quote) {
            (c, Some(mark)) if c == mark => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quote = Some(c),
            ('[' | '{' | '(', None) => depth += 1,
            (']' | '}' | ')', None) => depth = depth.saturating_sub(1),
            (c, None) if c == at && depth == 0 && parts.len() + 1 < most => {
                parts.push(&text[start..place]);
                start = place + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// The items of a list separated by commas; commas within brackets and quotation marks do not
/// separate.
pub fn items(list: &str) -> Vec<String> {
    let items = split(list, ',', usize::MAX).into_iter().map(str::trim);
    items.filter(|item| !item.is_empty()).map(String::from).collect()
}
