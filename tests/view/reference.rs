//! Pictures against references: means over blocks of pixels, in `tests/view/reference/NAME.png`. If
//! one differs, both lie in `target/pictures` to be compared by eye; `STICTION_PICTURES_ANEW=1`
//! writes references anew.

use crate::support::files::home;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use stiction_view::canvas::Canvas;
use stiction_view::film::write_png;

/// Widest reference \[pixels\].
const WIDTH: usize = 320;

/// Differences of a block's mean up to this are no difference, of 255.
const NEAR: u32 = 1;

/// Means over square blocks: width, height and three bytes a block.
fn reduced(canvas: &Canvas) -> (usize, usize, Vec<u8>) {
    let side = canvas.width().div_ceil(WIDTH);
    let (width, height) = (canvas.width() / side, canvas.height() / side);
    let rgb = canvas.rgb();
    let mut means = Vec::with_capacity(3 * width * height);
    for (y, x, c) in
        (0..height).flat_map(|y| (0..width).flat_map(move |x| (0..3).map(move |c| (y, x, c))))
    {
        let pixels = (0..side * side).map(|k| (y * side + k / side, x * side + k % side));
        let sum: usize =
            pixels.map(|(y, x)| usize::from(rgb[3 * (y * canvas.width() + x) + c])).sum();
        means.push((sum / (side * side)) as u8);
    }
    (width, height, means)
}

fn write(path: &Path, (width, height, rgb): &(usize, usize, Vec<u8>)) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut encoder = png::Encoder::new(File::create(path).unwrap(), *width as u32, *height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    encoder.write_header().unwrap().write_image_data(rgb).unwrap();
}

fn read(path: &Path) -> Option<(usize, usize, Vec<u8>)> {
    let mut reader = png::Decoder::new(BufReader::new(File::open(path).ok()?)).read_info().ok()?;
    let mut bytes = vec![0; reader.output_buffer_size()?];
    let about = reader.next_frame(&mut bytes).ok()?;
    Some((about.width as usize, about.height as usize, bytes))
}

/// The difference of a picture from its reference, in words.
pub fn difference(name: &str, canvas: &Canvas) -> Option<String> {
    let reference = home("tests/view/reference").join(format!("{name}.png"));
    let now = reduced(canvas);
    if std::env::var_os("STICTION_PICTURES_ANEW").is_some() {
        write(&reference, &now);
    }
    let Some(then) = read(&reference) else { return Some(format!("{name}: no reference")) };
    let size = |of: &(usize, usize, Vec<u8>)| (of.0, of.1);
    if size(&then) != size(&now) {
        return Some(format!(
            "{name}: {:?} blocks, {:?} in the reference",
            size(&now),
            size(&then)
        ));
    }
    let off = |(a, b): (&u8, &u8)| u32::from(a.abs_diff(*b));
    let all: Vec<u32> = now.2.iter().zip(&then.2).map(off).collect();
    let worst = all.iter().copied().max().unwrap_or(0);
    if worst <= NEAR {
        return None;
    }
    let place = all.iter().position(|d| *d == worst).unwrap() / 3;
    let kept = home("target/pictures");
    write(&kept.join(format!("{name}-reference.png")), &then);
    write_png(canvas, File::create(kept.join(format!("{name}.png"))).unwrap()).unwrap();
    let count = all.iter().filter(|d| **d > NEAR).count();
    Some(format!(
        "{name}: {count} means differ, by up to {worst} of 255 at block {}, {}; see target/pictures",
        place % now.0,
        place / now.0
    ))
}
