//! Determines the format of a file from its name and first bytes.

use super::MeshError;
use super::text::quoted;

/// A supported format of tetrahedral meshes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MeshFormat {
    /// Gmsh `.msh`.
    Gmsh,
    /// Legacy VTK `.vtk`.
    Vtk,
}

/// A supported format of surfaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SurfaceFormat {
    /// Wavefront `.obj`.
    Obj,
    /// `.stl`, ASCII or binary.
    Stl,
    /// `.ply`, ASCII or binary.
    Ply,
    /// A tetrahedral mesh, whose boundary is taken.
    Tets,
}

/// First bytes of other kinds of files, with the remedy.
const FOREIGN: [(&[u8], &str, &str); 9] = [
    (b"\x1f\x8b", "looks like gzip", "unpack it first: gunzip FILE"),
    (b"PK\x03\x04", "looks like a zip archive", "unpack it first"),
    (b"BZh", "looks like bzip2", "unpack it first: bunzip2 FILE"),
    (b"\xfd7zXZ", "looks like xz", "unpack it first: unxz FILE"),
    (b"\x89HDF", "looks like HDF5", "save the mesh as Gmsh .msh, ASCII"),
    (b"\xff\xfe", "looks like UTF-16 text", "save it as plain ASCII or UTF-8"),
    (b"\xfe\xff", "looks like UTF-16 text", "save it as plain ASCII or UTF-8"),
    (b"<!", "looks like HTML", "download the file itself, not the page that shows it"),
    (b"<html", "looks like HTML", "download the file itself, not the page that shows it"),
];

/// The format of a file, from its extension; an error if the content is clearly of another format.
pub(super) fn format(name: &str, bytes: &[u8]) -> Result<MeshFormat, MeshError> {
    refuse_foreign(bytes)?;
    let begins = |start: &[u8]| begins(bytes, start);
    if begins(b"<?xml") || begins(b"<VTKFile") {
        return Err(MeshError::line(
            1,
            "looks like XML (a .vtu file?), which is not read",
            "save the mesh as legacy VTK (.vtk) or Gmsh .msh, ASCII",
        ));
    }
    let content = if begins(b"$MeshFormat") {
        Some(MeshFormat::Gmsh)
    } else if begins(b"# vtk DataFile") {
        Some(MeshFormat::Vtk)
    } else {
        None
    };
    let expected = by_extension(name)?;
    match content {
        Some(found) if found != expected => Err(MeshError::line(
            1,
            format!("the name says {}, the content is {}", title(expected), title(found)),
            "rename the file",
        )),
        None if bytes.iter().take(1024).any(|&byte| byte == 0) => Err(MeshError::line(
            1,
            format!("binary content, not {}", title(expected)),
            "save the mesh as ASCII Gmsh .msh or legacy .vtk",
        )),
        _ => Ok(expected),
    }
}

/// The format of a surface, from its extension; an error if the content is clearly of another
/// format.
pub(super) fn surface_format(name: &str, bytes: &[u8]) -> Result<SurfaceFormat, MeshError> {
    refuse_foreign(bytes)?;
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let expected = match extension.to_ascii_lowercase().as_str() {
        "obj" => SurfaceFormat::Obj,
        "stl" => SurfaceFormat::Stl,
        "ply" => SurfaceFormat::Ply,
        "msh" | "vtk" => return Ok(SurfaceFormat::Tets),
        _ => {
            return Err(MeshError::whole(
                format!("{} is no known extension of a surface mesh", quoted(extension.as_bytes())),
                "use .obj, .stl or .ply, or a tetrahedral mesh as .msh or .vtk",
            ));
        }
    };
    // formats with unambiguous first bytes
    let found = [
        (&b"ply\n"[..], "a .ply surface"),
        (b"ply\r", "a .ply surface"),
        (b"$MeshFormat", "a Gmsh .msh mesh"),
        (b"# vtk DataFile", "a legacy VTK .vtk mesh"),
    ];
    let found = found.iter().find(|(start, _)| begins(bytes, start));
    if let Some((_, what)) = found
        && !(expected == SurfaceFormat::Ply && what.contains("ply"))
    {
        return Err(MeshError::line(
            1,
            format!("the name says .{extension}, the content is {what}"),
            "rename the file",
        ));
    }
    let binary = || bytes.contains(&0) || std::str::from_utf8(bytes).is_err();
    if expected == SurfaceFormat::Obj && binary() {
        return Err(MeshError::line(
            1,
            "binary content, not the text of an .obj file",
            "save the mesh as Wavefront .obj again, or rename the file",
        ));
    }
    Ok(expected)
}

/// Whether a file begins with `start`, ignoring case, after blanks and a byte order mark.
fn begins(bytes: &[u8], start: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}

/// Refuses empty files and files that are clearly no mesh.
fn refuse_foreign(bytes: &[u8]) -> Result<(), MeshError> {
    if bytes.is_empty() {
        return Err(MeshError::line(1, "the file is empty (0 bytes)", "save the mesh again"));
    }
    for (start, what, help) in FOREIGN {
        if begins(bytes, start) {
            return Err(MeshError::line(1, format!("{what}, not like a mesh"), help));
        }
    }
    Ok(())
}

fn title(format: MeshFormat) -> &'static str {
    match format {
        MeshFormat::Gmsh => "Gmsh (.msh)",
        MeshFormat::Vtk => "legacy VTK (.vtk)",
    }
}

fn by_extension(name: &str) -> Result<MeshFormat, MeshError> {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension.to_ascii_lowercase().as_str() {
        "msh" => Ok(MeshFormat::Gmsh),
        "vtk" => Ok(MeshFormat::Vtk),
        "obj" | "stl" | "ply" => Err(MeshError::whole(
            format!("a .{extension} file holds a surface, not the tetrahedra a body is made of"),
            "add fill = \"tets\" or fill = \"lattice\", which fill a closed surface; or fill it in a mesher and save it as Gmsh .msh, ASCII",
        )),
        _ => Err(MeshError::whole(
            format!("{} is no known extension of a tetrahedral mesh", quoted(extension.as_bytes())),
            "use Gmsh .msh (4.1 or 2.2, ASCII) or legacy VTK .vtk (ASCII)",
        )),
    }
}
