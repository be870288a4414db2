//! Which files `judge replay` replaces.

use std::fs;

use tempfile::TempDir;

use super::replay;
use crate::bots::judge;

#[test]
fn the_game_is_never_replaced_and_a_file_only_if_the_command_wrote_it_or_by_force() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (game, page) = (path("game.json"), path("page.html"));
    fs::write(&game, fixtures::sample::SMALL_GAME).unwrap();
    fs::hard_link(&game, path("link.html")).unwrap();
    for (output, options) in
        [("game.json", &[][..]), ("link.html", &["--force"]), ("./game.json", &["--json"])]
    {
        let run = replay(&game, &path(output), options);
        assert!(run.stderr.contains("it is the file that is read"), "{}", run.stderr);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    }
    assert_eq!(fs::read_to_string(&game).unwrap(), fixtures::sample::SMALL_GAME);
    fs::write(&page, "notes").unwrap();
    // What one command writes, another one does not replace.
    for (name, options) in
        [("page", &[][..]), ("picture", &["--svg", "0"]), ("report", &["--json"])]
    {
        let run = replay(&game, &page, options);
        let message = format!("page.html: it exists, and is no {name} of `judge replay");
        assert!(run.code == 2 && run.stderr.contains(&message), "{}", run.stderr);
        for force in [&["--force"][..], &[]] {
            let run = replay(&game, &page, &[options, force].concat());
            assert_eq!(run.code, 0, "{}", run.stderr);
            assert!(fs::read_to_string(&page).unwrap().len() > 1000);
        }
    }
    let names = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 3);
    let printed = |options: &[&str]| {
        let game = game.to_str().unwrap();
        judge(["replay", game, "--effort", "fast", "--playouts", "0"].iter().chain(options)).stdout
    };
    assert!(printed(&[]).starts_with(viewer::page::BEGINNING));
    assert_eq!(printed(&["-o", "-"]), printed(&[]));
}
