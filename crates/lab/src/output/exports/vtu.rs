//! VTK's unstructured grids as `.vtu` files: arrays in raw binary after the XML, float64 bit for
//! bit, optionally compressed by zlib \[vtk\].

use std::io::{self, Write};

/// Numbers of an array.
pub enum Data {
    /// float64.
    Numbers(Vec<f64>),
    /// int64.
    Integers(Vec<i64>),
    /// uint8.
    Bytes(Vec<u8>),
}

impl Data {
    fn vtk_type(&self) -> &'static str {
        match self {
            Data::Numbers(_) => "Float64",
            Data::Integers(_) => "Int64",
            Data::Bytes(_) => "UInt8",
        }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Data::Numbers(of) => bytemuck::cast_slice(of),
            Data::Integers(of) => bytemuck::cast_slice(of),
            Data::Bytes(of) => of,
        }
    }

    fn len(&self) -> usize {
        match self {
            Data::Numbers(of) => of.len(),
            Data::Integers(of) => of.len(),
            Data::Bytes(of) => of.len(),
        }
    }
}

/// A named array of points or cells.
pub struct Array {
    /// Its name.
    pub name: String,
    /// Unit, stored by VTK with the array as UNITS_LABEL.
    pub unit: &'static str,
    /// Names of its components; none for a single number.
    pub components: &'static [&'static str],
    /// Its numbers.
    pub data: Data,
}

impl Array {
    /// An array of single numbers.
    pub fn scalar(name: &str, unit: &'static str, data: Data) -> Array {
        Array { name: name.into(), unit, components: &[], data }
    }
}

/// Kinds of cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellKind {
    /// One point.
    Vertex = 1,
    /// Two points.
    Line = 3,
    /// Three points.
    Triangle = 5,
    /// Four points.
    Tetrahedron = 10,
}

/// An unstructured grid.
#[derive(Default)]
pub struct Grid {
    /// Time \[s\].
    pub time: f64,
    /// Coordinates \[m\], three per point.
    pub points: Vec<f64>,
    /// Points of the cells, one after the other.
    connectivity: Vec<i64>,
    offsets: Vec<i64>,
    kinds: Vec<u8>,
    /// Arrays with one entry per point.
    pub of_points: Vec<Array>,
    /// Arrays with one entry per cell.
    pub of_cells: Vec<Array>,
}

/// Uncompressed length of a block of zlib \[bytes\].
const BLOCK: usize = 1 << 18;

impl Grid {
    /// An empty grid at a time \[s\].
    pub fn at(time: f64) -> Grid {
        Grid { time, ..Grid::default() }
    }

    /// Adds a cell.
    pub fn add(&mut self, kind: CellKind, points: impl IntoIterator<Item = u32>) {
        self.connectivity.extend(points.into_iter().map(i64::from));
        self.offsets.push(self.connectivity.len() as i64);
        self.kinds.push(kind as u8);
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.kinds.len()
    }

    /// The file: the text before its numbers and the text after them; the numbers replace the
    /// content of `numbers`.
    pub fn pieces(self, compressed: bool, numbers: &mut Vec<u8>) -> io::Result<[String; 2]> {
        let (points, cells) = (self.points.len() / 3, self.cells());
        numbers.clear();
        let mut file = VtuFile { xml: String::new(), appended: numbers, compressed };
        let compressor = if compressed { " compressor=\"vtkZLibDataCompressor\"" } else { "" };
        file.xml += &format!(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\"{compressor}>\n<UnstructuredGrid>\n<FieldData>\n"
        );
        let time = Array::scalar("TimeValue", "s", Data::Numbers(vec![self.time]));
        file.array(&time, " NumberOfTuples=\"1\"")?;
        file.xml += &format!(
            "</FieldData>\n<Piece NumberOfPoints=\"{points}\" NumberOfCells=\"{cells}\">\n<Points>\n"
        );
        let components = &["x", "y", "z"];
        let data = Data::Numbers(self.points);
        file.array(&Array { name: "Points".into(), unit: "m", components, data }, "")?;
        file.xml += "</Points>\n<Cells>\n";
        let own = [
            ("connectivity", Data::Integers(self.connectivity)),
            ("offsets", Data::Integers(self.offsets)),
            ("types", Data::Bytes(self.kinds)),
        ];
        for (name, data) in own {
            file.array(&Array::scalar(name, "", data), "")?;
        }
        file.xml += "</Cells>\n<PointData>\n";
        for array in &self.of_points {
            file.array(array, "")?;
        }
        file.xml += "</PointData>\n<CellData>\n";
        for array in &self.of_cells {
            file.array(array, "")?;
        }
        file.xml +=
            "</CellData>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
        Ok([file.xml, "\n</AppendedData>\n</VTKFile>\n".into()])
    }
}

/// A file being composed.
struct VtuFile<'a> {
    xml: String,
    appended: &'a mut Vec<u8>,
    compressed: bool,
}

impl VtuFile<'_> {
    /// Adds an array: its description to the XML, its numbers after it.
    fn array(&mut self, array: &Array, more: &str) -> io::Result<()> {
        let width = array.components.len().max(1);
        let names = array.components.iter().enumerate();
        let names: String =
            names.map(|(k, name)| format!(" ComponentName{k}=\"{name}\"")).collect();
        let (kind, offset) = (array.data.vtk_type(), self.appended.len());
        // VTK refuses the offset of an empty array at the end of the data
        let range = if array.data.len() == 0 { " RangeMin=\"0\" RangeMax=\"0\"" } else { "" };
        self.xml += &format!(
            "<DataArray type=\"{kind}\" Name=\"{}\" NumberOfComponents=\"{width}\"{names}{more}{range} format=\"appended\" offset=\"{offset}\"",
            array.name
        );
        self.xml += &match array.unit {
            "" | "1" => "/>\n".to_string(),
            unit => format!(
                ">\n<InformationKey name=\"UNITS_LABEL\" location=\"vtkDataArray\">{unit}</InformationKey>\n</DataArray>\n"
            ),
        };
        let bytes = array.data.bytes();
        if !self.compressed {
            self.appended.extend((bytes.len() as u64).to_le_bytes());
            self.appended.extend(bytes);
            return Ok(());
        }
        let mut blocks = Vec::new();
        for block in bytes.chunks(BLOCK) {
            let level = flate2::Compression::default();
            let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), level);
            encoder.write_all(block)?;
            blocks.push(encoder.finish()?);
        }
        // number of blocks, their length, length of a shorter last one, compressed lengths
        let rest = bytes.len() % BLOCK;
        let mut head = vec![blocks.len() as u64, BLOCK as u64, rest as u64];
        head.extend(blocks.iter().map(|block| block.len() as u64));
        head.iter().for_each(|number| self.appended.extend(number.to_le_bytes()));
        blocks.iter().for_each(|block| self.appended.extend(block));
        Ok(())
    }
}
