//! `render` as a person uses it: what it writes, says, and ends with.

use crate::rendering::{has_ffmpeg, probed};
#[cfg(unix)]
use crate::support::wait::until_longer;
use assert_cmd::Command;
use std::path::Path;

fn render(folder: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("NO_COLOR", "1");
    command.args(["render", "scenes/sliding_block.toml", "--size", "160x90"]);
    // the file, which follows -o, is in the folder
    let is_file = |k: usize| k > 0 && more[k - 1] == "-o";
    for (k, word) in more.iter().enumerate() {
        match is_file(k) {
            true => command.arg(folder.join(word)),
            false => command.arg(word),
        };
    }
    command
}

/// Runs and returns (exit code, stderr).
fn ran(command: &mut Command) -> (i32, String) {
    let output = command.output().unwrap();
    assert!(output.stdout.is_empty());
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn size(path: &Path) -> (u32, u32) {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let reader = png::Decoder::new(file).read_info().unwrap();
    (reader.info().width, reader.info().height)
}

#[test]
fn it_says_what_it_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let (exit, said) = ran(&mut render(folder.path(), &["--at", "0.1", "-o", "a.png"]));
    assert!(exit == 0 && said.contains("160 x 90 pixels") && said.contains("kB"), "{said}");
    let film = ["--to", "0.2", "--rate", "10", "--speed", "0.5", "-o", "a.gif"];
    let (exit, said) = ran(&mut render(folder.path(), &film));
    assert!(exit == 0 && said.contains("5 pictures, 0.50 s, 160 x 90 pixels"), "{said}");
    let (exit, said) =
        ran(&mut render(folder.path(), &["--at", "0", "--scale", "2", "-o", "b.png"]));
    assert!(exit == 0, "{said}");
    assert_eq!(size(&folder.path().join("b.png")), (320, 180));
}

/// A file that is there is kept unless `--force` is given; so is a sequence if one of its files is
/// there.
#[test]
fn what_is_there_is_not_replaced_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let (film, still) = (["--to", "0.1", "-o", "f_%02d.png"], ["--at", "0.1", "-o", "a.png"]);
    for (arguments, file) in [(&still, "a.png"), (&film, "f_01.png")] {
        let path = folder.path().join(file);
        std::fs::write(&path, "mine").unwrap();
        let (exit, said) = ran(&mut render(folder.path(), arguments));
        assert!(exit == 8 && said.contains(file) && said.contains("--force"), "{exit}: {said}");
        assert_eq!(std::fs::read(&path).unwrap(), b"mine");
        let forced = [&arguments[..], &["--force"]].concat();
        let (exit, said) = ran(&mut render(folder.path(), &forced));
        assert_eq!(exit, 0, "{said}");
        assert_eq!(size(&path), (160, 90));
    }
    let (exit, said) =
        ran(&mut render(folder.path(), &["--to", "0.1", "--transparent", "-o", "a.gif"]));
    assert!(exit == 2 && said.contains("frame_%04d.png"), "{exit}: {said}");
}

/// A plot without room is named in a note; one that does not exist is refused with the nearest, and a
/// film is not begun.
#[test]
fn plots_without_room_or_unknown_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let (exit, said) =
        ran(&mut render(folder.path(), &["--at", "0.1", "--plot", "creep", "-o", "a.png"]));
    assert!(exit == 0 && said.contains("note: no room for the plot `creep`"), "{said}");
    let [note, written] = ["note: no room", "160 x 90"].map(|words| said.find(words));
    assert!(note < written && said.matches("no room").count() == 1, "before it is drawn: {said}");
    let wide = ["--at", "0.1", "--plot", "creep", "--title", "a block", "--scale", "0.5"];
    let wide = [&wide[..], &["--labels", "--no-panel", "-o", "b.png"]].concat();
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("NO_COLOR", "1");
    command.args(["render", "scenes/sliding_block.toml", "--size", "900x400"]);
    let file = folder.path().join("b.png");
    command.args(&wide[..wide.len() - 1]).arg(&file);
    let (exit, said) = ran(&mut command);
    assert!(exit == 0 && !said.contains("no room"), "{said}");
    assert_eq!(size(&file), (450, 200));
    let unknown = ["--to", "0.1", "--plot", "crep", "-o", "c.gif"];
    let (exit, said) = ran(&mut render(folder.path(), &unknown));
    assert!(exit == 2 && said.contains("no plot `crep`; did you mean `creep`?"), "{exit}: {said}");
    assert!(!folder.path().join("c.gif").exists());
}

/// Options win over `--set`, which wins over the scene; a layer's last word is the option's.
#[test]
fn options_win_over_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let picture = |name: &str, more: &[&str]| {
        let (exit, said) =
            ran(&mut render(folder.path(), &[&["--at", "0", "-o", name], more].concat()));
        assert_eq!(exit, 0, "{said}");
        std::fs::read(folder.path().join(name)).unwrap()
    };
    let plain = picture("plain.png", &[]);
    let turned = picture("turned.png", &["--yaw", "-70"]);
    assert_ne!(turned, plain);
    assert_eq!(picture("set.png", &["--set", "view.yaw=-70"]), turned);
    assert_eq!(picture("both.png", &["--set", "view.yaw=10", "--yaw", "-70"]), turned);
    let table = ["--set", "view.theme=dark", "--set", "view.hide=[\"particles\",\"panel\"]"];
    let dark = picture("dark.png", &table);
    assert_ne!(dark, plain);
    let back = ["--light", "--show", "panel,particles"];
    assert_eq!(picture("back.png", &[&table[..], &back].concat()), plain);
    assert_ne!(picture("aim.png", &["--target", "-0.2,0,0"]), plain);
    assert_ne!(picture("flat.png", &["--orthographic"]), plain);
    assert_ne!(picture("near.png", &["--zoom", "3"]), plain);
    picture("follow.png", &["--follow", "nothing"]);
}

#[test]
fn mistakes_are_told() {
    let folder = tempfile::tempdir().unwrap();
    for (more, exit, word) in [
        (&["-o", "a.avi"][..], 2, ".mp4"),
        (&["--at", "1", "-o", "a.gif"], 2, "--from"),
        (&["--to", "99", "-o", "a.gif"], 2, "outside"),
        (&["--follow", "blok", "-o", "a.png"], 3, "did you mean `block`"),
        (&["--pitch", "95", "-o", "a.png"], 3, "-90 to 90"),
        (&["--target", "1,2", "-o", "a.png"], 2, "three numbers"),
        (&["--show", "heet", "-o", "a.png"], 2, "heat"),
        (&["--scale", "9", "-o", "a.png"], 2, "0.5 to 8"),
        (&["--dark", "--light", "-o", "a.png"], 2, "cannot be used"),
        (&["-o", "missing/a.gif"], 5, "missing"),
    ] {
        let (code, said) = ran(&mut render(folder.path(), more));
        assert_eq!(code, exit, "{more:?}: {said}");
        assert!(said.contains(word), "{more:?}: {said}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Without ffmpeg an MP4 is refused before anything runs; the other formats need nothing.
#[test]
fn a_missing_ffmpeg_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut mp4 = render(folder.path(), &["-o", "a.mp4"]);
    let (exit, said) = ran(mp4.env("PATH", folder.path()));
    assert_eq!(exit, 2, "{said}");
    assert!(said.contains("ffmpeg, which is not on PATH; .gif and .apng need nothing"), "{said}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    let mut gif = render(folder.path(), &["--to", "0.1", "-o", "a.gif"]);
    assert_eq!(ran(gif.env("PATH", folder.path())).0, 0);
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// A program called ffmpeg that lists codecs and then does as told.
    fn pretend(folder: &Path, encoders: &str, then: &str) {
        let text = format!(
            "#!/bin/sh\ncase \"$*\" in *-encoders*) echo ' V....D {encoders} x'; exit 0;; esac\n{then}\n"
        );
        let path = folder.join("ffmpeg");
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// The complaint of ffmpeg is shown, whether it ends early or at the end, and however much it
    /// says.
    #[test]
    fn a_failing_ffmpeg_is_quoted() {
        for (encoders, then, word) in [
            ("libx264", "echo 'no room on the disk' >&2; exit 1", "no room on the disk"),
            ("libx264", "cat > /dev/null; echo 'bad luck' >&2; exit 3", "bad luck"),
            ("libx264", "exec 0<&-; yes 'much talk' | head -c 300000 >&2; exit 1", "much talk"),
            ("libx264", "cat > /dev/null; exit 7", "7"),
            ("libtheora", "", "neither libx264 nor mpeg4"),
        ] {
            let (folder, bin) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
            pretend(bin.path(), encoders, then);
            let path = format!("{}:/usr/bin:/bin", bin.path().display());
            let mut command = render(folder.path(), &["--to", "0.2", "-o", "a.mp4"]);
            let (exit, said) = ran(command.env("PATH", path));
            assert_eq!(exit, 5, "{said}");
            assert!(said.contains(word) && said.contains("ffmpeg"), "{word}: {said}");
            assert!(said.len() < 6000 && !said.contains("roken pipe"), "{said}");
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }

    /// Without libx264 an older codec does.
    #[test]
    fn another_codec_will_do() {
        let (folder, bin) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        if !has_ffmpeg() {
            return;
        }
        let real = std::process::Command::new("sh").args(["-c", "command -v ffmpeg"]).output();
        let real = String::from_utf8(real.unwrap().stdout).unwrap();
        let then = format!("case \"$*\" in *libx264*) exit 9;; esac\nexec {} \"$@\"", real.trim());
        pretend(bin.path(), "mpeg4", &then);
        let path = format!("{}:/usr/bin:/bin", bin.path().display());
        let mut command = render(folder.path(), &["--to", "0.2", "--rate", "10", "-o", "a.mp4"]);
        let (exit, said) = ran(command.env("PATH", path));
        assert_eq!(exit, 0, "{said}");
        assert_eq!(probed(&folder.path().join("a.mp4")), [160, 90, 3]);
    }

    /// Ctrl-C ends with 130 and leaves nothing, also while ffmpeg works.
    #[test]
    fn an_interrupt_leaves_nothing() {
        for name in ["a.gif", "a.apng", "a.mp4"] {
            let folder = tempfile::tempdir().unwrap();
            if name == "a.mp4" && !has_ffmpeg() {
                continue;
            }
            let mut run = std::process::Command::new(env!("CARGO_BIN_EXE_stiction"));
            run.current_dir(env!("CARGO_MANIFEST_DIR")).stderr(std::process::Stdio::null());
            run.args(["render", "scenes/tipping_box.toml", "--speed", "0.01", "-o"]);
            let mut child = run.arg(folder.path().join(name)).spawn().unwrap();
            // the encoder is at work
            until_longer(&folder.path().join(format!("{name}.partial")), 0);
            let pid = child.id().to_string();
            std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap();
            assert_eq!(child.wait().unwrap().code(), Some(130), "{name}");
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{name}");
        }
    }
}
