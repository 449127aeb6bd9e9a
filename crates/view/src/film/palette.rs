//! The 255 colours of a picture of a GIF. Rare colours are often important, such as those of arrows
//! and of the verdict; so colours that are far from all others are kept even if they are few.

use stiction_core::math::sqrt;

/// Number of colours of a picture; one more index is reserved for transparency.
const MOST: usize = 255;

/// Bits per channel that distinguish colours.
const BITS: u32 = 6;

/// Colours equal in their first bits: their number, and the sum of each channel.
#[derive(Debug, Clone, Copy, Default)]
struct Bin {
    at: [u8; 3],
    count: u64,
    sum: [u64; 3],
}

/// A box of bins, as a range of a list.
struct PalettePart {
    start: usize,
    end: usize,
    /// the channel of its greatest length, and that length
    axis: usize,
    length: u8,
    /// error if it is shown as one colour
    loss: f64,
}

/// Colours, and the index for each colour of the picture.
pub(crate) struct Palette {
    /// Red, green and blue of each colour.
    pub colours: Vec<u8>,
    table: Vec<u8>,
}

impl Palette {
    /// The palette of a picture's pixels, 0x00RRGGBB.
    pub fn of(pixels: impl Iterator<Item = u32>) -> Palette {
        let mut bins = bins(pixels);
        let mut parts = Vec::with_capacity(MOST);
        if !bins.is_empty() {
            parts.push(PalettePart::of(&bins, 0, bins.len()));
        }
        while parts.len() < MOST {
            let worst = (0..parts.len()).fold(None, |worst: Option<usize>, k| match worst {
                Some(w) if parts[w].loss >= parts[k].loss => worst,
                _ => Some(k),
            });
            let Some(worst) = worst.filter(|w| parts[*w].length > 0) else { break };
            let PalettePart { start, end, axis, .. } = parts[worst];
            let middle = start + halve(&mut bins[start..end], axis);
            parts[worst] = PalettePart::of(&bins, start, middle);
            parts.push(PalettePart::of(&bins, middle, end));
        }
        let mut palette = Palette { colours: Vec::new(), table: vec![0; 1 << (3 * BITS)] };
        for (index, part) in parts.iter().enumerate() {
            let bins = &bins[part.start..part.end];
            let count = bins.iter().map(|bin| bin.count).sum::<u64>().max(1);
            for channel in 0..3 {
                let sum: u64 = bins.iter().map(|bin| bin.sum[channel]).sum();
                palette.colours.push(((sum + count / 2) / count) as u8);
            }
            bins.iter().for_each(|bin| palette.table[number(bin.at)] = index as u8);
        }
        palette
    }

    /// The index of the colour for a pixel of the picture.
    pub fn index(&self, pixel: u32) -> u8 {
        self.table[number(first_bits(pixel))]
    }
}

impl PalettePart {
    fn of(bins: &[Bin], start: usize, end: usize) -> PalettePart {
        let bins = &bins[start..end];
        let lengths = [0, 1, 2].map(|axis| {
            let along = bins.iter().map(|bin| bin.at[axis]);
            along.clone().max().unwrap_or(0) - along.min().unwrap_or(0)
        });
        let axis = (1..3).fold(0, |a, b| if lengths[b] > lengths[a] { b } else { a });
        let count: u64 = bins.iter().map(|bin| bin.count).sum();
        let length = f64::from(lengths[axis]);
        // by the number of pixels alone, a sky would take all colours; by length alone, none
        let loss = length * length * sqrt(count as f64);
        PalettePart { start, end, axis, length: lengths[axis], loss }
    }
}

/// The colours of the pixels, in the order of their first bits.
fn bins(pixels: impl Iterator<Item = u32>) -> Vec<Bin> {
    let mut all = vec![Bin::default(); 1 << (3 * BITS)];
    for pixel in pixels {
        let at = first_bits(pixel);
        let bin = &mut all[number(at)];
        bin.at = at;
        bin.count += 1;
        for (sum, shift) in bin.sum.iter_mut().zip([16, 8, 0]) {
            *sum += u64::from(pixel >> shift & 0xff);
        }
    }
    all.retain(|bin| bin.count > 0);
    all
}

/// Moves the bins below the middle of an axis to the front, in order; returns the index of the
/// first of the others.
fn halve(bins: &mut [Bin], axis: usize) -> usize {
    let along = bins.iter().map(|bin| u16::from(bin.at[axis]));
    let middle = along.clone().min().unwrap_or(0) + along.max().unwrap_or(0);
    let above = |bin: &Bin| 2 * u16::from(bin.at[axis]) > middle;
    bins.sort_by_key(above);
    bins.partition_point(|bin| !above(bin))
}

fn first_bits(pixel: u32) -> [u8; 3] {
    [16, 8, 0].map(|shift| (pixel >> shift & 0xff) as u8 >> (8 - BITS))
}

fn number(at: [u8; 3]) -> usize {
    at.iter().fold(0, |number, bits| number << BITS | usize::from(*bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colour(palette: &Palette, pixel: u32) -> u32 {
        let at = 3 * usize::from(palette.index(pixel));
        palette.colours[at..at + 3].iter().fold(0, |all, c| all << 8 | u32::from(*c))
    }

    #[test]
    fn few_colours_are_kept_as_they_are() {
        let pixels = [0xff0000, 0x00ff00, 0x123456, 0xffffff, 0xff0000];
        let palette = Palette::of(pixels.into_iter());
        assert_eq!(palette.colours.len(), 4 * 3);
        assert!(pixels.iter().all(|pixel| colour(&palette, *pixel) == *pixel));
        assert!(Palette::of(std::iter::empty()).colours.is_empty());
    }

    #[test]
    fn a_few_bright_pixels_are_not_lost_in_a_sky_of_many_colours() {
        let sky = (0..1_000_000u32).map(|k| {
            let (a, b, c) = (k % 64, k / 64 % 64, k / 4096 % 50);
            (180 + a) << 16 | (180 + b) << 8 | (200 + c)
        });
        let palette = Palette::of(sky.clone().chain([0xe05a10, 0x00866a]));
        assert_eq!(palette.colours.len(), 255 * 3);
        assert_eq!(colour(&palette, 0xe05a10), 0xe05a10);
        assert_eq!(colour(&palette, 0x00866a), 0x00866a);
        let far = sky.map(|p| {
            let shown = colour(&palette, p);
            (0..3).map(|k| (shown >> (8 * k) & 0xff).abs_diff(p >> (8 * k) & 0xff)).max().unwrap()
        });
        assert!(far.max().unwrap() <= 16);
    }
}
