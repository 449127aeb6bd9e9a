//! Folders of which a part is lost, cannot be read, or is longer than the run could have made it.

use super::cli::{ran, stiction};
use super::folders::{self, resume};
use std::io;
use std::path::{Path, PathBuf};
use stiction_lab::output::folder::digest::Digest;
use stiction_lab::output::folder::files::{Disk, Files, Handle};
use stiction_lab::output::folder::inspect::{Remedy, remedy_of, verify};
use stiction_lab::output::folder::manifest::Manifest;
use stiction_lab::output::folder::repair::repair;

const SCENE: [&str; 7] = [
    "scenes/sliding_block.toml",
    "--set",
    "time.end=0.02",
    "--set",
    "time.output=0.01",
    "--set",
    "output.surface=ply",
];

fn inspect(folder: &Path) -> (i32, String) {
    folders::verb("inspect", folder)
}

/// Bytes behind the array that the manifest has a right digest of.
fn lengthen(out: &Path, name: &str) {
    let path = out.join(name);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.resize(bytes.len() + (1 << 20), 0);
    std::fs::write(&path, &bytes).unwrap();
    let manifest = out.join("manifest.toml");
    let text = std::fs::read(&manifest).unwrap();
    let mut read = Manifest::read(&text).unwrap();
    read.files.insert(name.into(), Digest::of(&bytes));
    std::fs::write(&manifest, read.text()).unwrap();
}

/// Arrays that are longer than the particles and frames of the run imply are refused.
#[test]
fn arrays_are_as_long_as_the_run_implies() {
    let home = tempfile::tempdir().unwrap();
    let cases = [
        ("topology/mass.npy", "are not those of 1 particles"),
        ("topology/spring.npy", "are not those of 1 particles"),
        ("topology/tetrahedron.npy", "are not those of 1 particles"),
        ("trajectory/position.npy", "its frames end at byte"),
    ];
    for (k, (name, why)) in cases.into_iter().enumerate() {
        let out = home.path().join(k.to_string());
        assert_eq!(folders::run(&SCENE, &out, &[]).0, 0);
        assert_eq!(inspect(&out).0, 0);
        lengthen(&out, name);
        let (exit, said) = inspect(&out);
        assert!(exit == 7 && said.contains(why), "{name}: {exit}: {said}");
        let (exit, said) = resume(&out, &[]);
        assert!(exit == 7 && said.contains(why), "{name}: {exit}: {said}");
    }
}

/// Without its records nothing can be salvaged, and every verb says so.
#[test]
fn a_lost_journal_is_not_to_be_repaired() {
    let home = tempfile::tempdir().unwrap();
    let (out, new) = (home.path().join("out"), home.path().join("new"));
    assert_eq!(folders::run(&SCENE, &out, &[]).0, 0);
    let journal = out.join("trajectory/journal.bin");
    let head = std::fs::read(&journal).unwrap()[..40].to_vec();
    let damages: [&dyn Fn(); 3] = [
        &|| std::fs::write(&journal, &head).unwrap(),
        &|| std::fs::write(&journal, "").unwrap(),
        &|| std::fs::remove_file(&journal).unwrap(),
    ];
    let advice = format!("`stiction run SCENE --out {} --force` runs it again", out.display());
    for (k, damage) in damages.into_iter().enumerate() {
        damage();
        let (exit, said) = inspect(&out);
        assert!(exit == 7 && said.contains(&advice), "{k}: {exit}: {said}");
        assert!(!said.contains("repair") && !said.contains("of another one"), "{k}: {said}");
        let (exit, _, said) = ran(stiction().arg("repair").arg(&out).arg("--out").arg(&new));
        assert!(exit == 7 && said.contains(&advice) && !new.exists(), "{k}: {exit}: {said}");
        let (exit, said) = resume(&out, &[]);
        assert!(exit == 7 && said.contains(&advice), "{k}: {exit}: {said}");
    }
    let (exit, said) = folders::run(&SCENE, &out, &["--force"]);
    assert_eq!(exit, 0, "{said}");
    assert_eq!(inspect(&out).0, 0);
}

/// A disk with a folder that cannot be read.
struct Closed(PathBuf);

impl Files for Closed {
    fn create(&self, path: &Path) -> io::Result<Box<dyn Handle>> {
        Disk.create(path)
    }
    fn open(&self, path: &Path) -> io::Result<Box<dyn Handle>> {
        Disk.open(path)
    }
    fn view(&self, path: &Path) -> io::Result<Box<dyn Handle>> {
        Disk.view(path)
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        Disk.rename(from, to)
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        Disk.remove(path)
    }
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        Disk.make_folder(path)
    }
    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        match path == self.0 {
            true => Err(io::ErrorKind::PermissionDenied.into()),
            false => Disk.list(path),
        }
    }
    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        Disk.sync_folder(path)
    }
}

#[test]
fn folders_that_cannot_be_read_are_named() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    assert_eq!(folders::run(&SCENE, &out, &[]).0, 0);
    for name in ["checkpoints", "surfaces", "topology"] {
        let closed = Closed(out.join(name));
        let (_, findings) = verify(&closed, &out).unwrap();
        let faulty: Vec<_> = findings.iter().filter(|finding| finding.fault.is_some()).collect();
        let [finding] = faulty[..] else { panic!("{name}: {faulty:?}") };
        assert_eq!((finding.file.as_str(), finding.remedy), (name, Remedy::Read));
        let said = remedy_of(&out, &faulty);
        assert!(said.contains(&format!("`{name}` cannot be read")), "{said}");
    }
    let closed = Closed(out.join("checkpoints"));
    let said = repair(&closed, &out, &home.path().join("new")).unwrap_err().to_string();
    assert!(said.contains("out/checkpoints"), "{said}");
    assert!(!home.path().join("new").exists());
}

/// Without an array no frame can be salvaged: no repair is advised. One that lost checkpoints names them.
#[test]
fn what_a_repair_cannot_salvage_is_named() {
    let home = tempfile::tempdir().unwrap();
    let (out, new) = (home.path().join("out"), home.path().join("new"));
    assert_eq!(folders::run(&SCENE, &out, &[]).0, 0);
    let checkpoints = std::fs::read_dir(out.join("checkpoints")).unwrap();
    let at = checkpoints.map(|entry| entry.unwrap().path()).next().expect("a checkpoint");
    let mut bytes = std::fs::read(&at).unwrap();
    bytes.push(b'x');
    std::fs::write(&at, bytes).unwrap();
    let step: u64 = at.file_stem().unwrap().to_str().unwrap().parse().unwrap();
    let (exit, _, said) = ran(stiction().arg("repair").arg(&out).arg("--out").arg(&new));
    let lost = format!("lost: checkpoints of steps {step}\n");
    assert!(exit == 0 && said.contains(&lost), "{exit}: {said}");
    std::fs::remove_file(out.join("trajectory/time.npy")).unwrap();
    let (exit, said) = inspect(&out);
    assert!(exit == 7 && said.contains("`trajectory/time.npy` has no sound row"), "{said}");
    assert!(!said.contains("stiction repair"), "{said}");
}
