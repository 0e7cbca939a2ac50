use super::depth::{contrast, rgb_of};
use super::*;

fn hex(color: Color) -> depth::Rgb {
    rgb_of(color).unwrap()
}

#[test]
fn every_builtin_theme_resolves_under_its_own_name() {
    for (name, text) in BUILTIN {
        let theme = Theme::parse(text, name).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(theme.name(), name);
        assert_eq!(theme, Theme::named(name).unwrap());
    }
    assert_eq!(Theme::builtin().len(), BUILTIN.len());
    assert_eq!(Theme::terminal().name(), "terminal");
    assert_eq!(Theme::terminal().base(), Style::new());
}

#[test]
fn role_names_are_unique_and_kebab_case() {
    for (index, role) in Role::ALL.iter().enumerate() {
        assert_eq!(*role as usize, index);
        let key = role.key();
        assert!(key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{key}");
        assert!(!Role::ALL[..index].iter().any(|other| other.key() == key), "{key}");
    }
}

/// The themes that paint their own ground. What the other two look like is the
/// terminal's affair: it cannot be measured here.
fn grounded() -> Vec<Theme> {
    let themes = Theme::builtin().into_iter();
    let grounded: Vec<_> = themes.filter(|theme| theme.background.is_some()).collect();
    let names: Vec<_> = grounded.iter().map(Theme::name).collect();
    assert_eq!(names, ["dark", "dusk", "light", "paper", "contrast", "sixteen"]);
    grounded
}

/// Text at 4.5:1, lines and bars at 3:1; the high contrast theme at 7:1. Text is
/// also held against the grounds of rows that stand out, where it may stand. The
/// sixteen colours are measured as xterm has them, unless somebody chose others.
fn hold_contrast(theme: &Theme, slack: f64) {
    let ground = hex(theme.background.unwrap());
    let related = theme.style(Role::Related).bg.map_or(ground, hex);
    for role in Role::ALL {
        let style = theme.style(*role);
        let fg = hex(style.fg.or(theme.foreground).unwrap());
        let own = style.bg.map_or(ground, hex);
        let needed = match (role.is_graphic(), theme.name()) {
            (true, _) => 3.0,
            (false, "contrast") => 7.0,
            (false, _) => 4.5,
        };
        let mut grounds = vec![own];
        if !role.is_graphic() && slack == 1.0 {
            grounds.push(if *role == Role::Selected { own } else { related });
        }
        for ground in grounds {
            let found = contrast(fg, ground);
            assert!(
                found >= needed * slack,
                "{} {}: {found:.2}:1 on {ground:02x?}, less than {needed}:1",
                theme.name(),
                role.key()
            );
        }
    }
}

#[test]
fn colours_of_every_theme_can_be_read() {
    for theme in grounded() {
        hold_contrast(&theme, 1.0);
    }
}

#[test]
fn colours_mapped_to_fewer_can_be_read() {
    for whole in grounded() {
        let name = whole.name();
        for depth in [Depth::Ansi256, Depth::Ansi16] {
            let theme = whole.clone().at_depth(depth);
            let slack = if name == "contrast" { 4.5 / 7.0 } else { 0.99 };
            hold_contrast(&theme, slack);
            let selected = theme.style(Role::Selected);
            assert_ne!(selected.bg, theme.background, "{name} at {depth:?}");
            for role in Role::ALL {
                let style = theme.style(*role);
                assert!(!matches!(style.fg, Some(Color::Rgb(..))), "{name} {}", role.key());
                assert!(!matches!(style.bg, Some(Color::Rgb(..))), "{name} {}", role.key());
            }
        }
        assert_eq!(whole.clone().at_depth(Depth::True), whole);
    }
}

#[test]
fn the_terminals_own_colours_are_those_readable_on_both_grounds() {
    let theme = Theme::terminal();
    for role in Role::ALL {
        let style = theme.style(*role);
        assert_eq!(style.bg, None, "{}", role.key());
        assert!(
            matches!(
                style.fg,
                None | Some(Color::Red | Color::Green | Color::Blue | Color::Magenta | Color::Cyan)
            ),
            "{}",
            role.key()
        );
    }
    assert_eq!(theme.clone().at_depth(Depth::Ansi16), theme);
}

#[test]
fn without_colours_only_the_selected_row_is_reversed() {
    let mut themes: Vec<_> =
        Theme::builtin().into_iter().map(|theme| theme.at_depth(Depth::None)).collect();
    themes.push(Theme::named("mono").unwrap());
    let text = "name = \"x\"\nextends = \"dark\"\n[roles]\nkey = { reversed = true }\n";
    themes.push(Theme::parse(text, "x.toml").unwrap().at_depth(Depth::None));
    for theme in themes {
        assert_eq!(theme.base(), Style::new());
        for role in Role::ALL {
            let style = theme.style(*role);
            assert_eq!((style.fg, style.bg), (None, None), "{} {}", theme.name(), role.key());
            assert_eq!(
                style.add_modifier.contains(Modifier::REVERSED),
                *role == Role::Selected,
                "{} {}",
                theme.name(),
                role.key()
            );
        }
    }
}

#[test]
fn a_theme_takes_over_what_it_does_not_name() {
    let text = "name = \"mine\"\nextends = \"dark\"\n[palette]\nviolet = \"#112233\"\n\
                [roles]\nshown = { fg = \"bright-blue\", bold = true, dim = true }\n";
    let theme = Theme::parse(text, "mine.toml").unwrap();
    let dark = Theme::named("dark").unwrap();
    assert_eq!(theme.name(), "mine");
    assert_eq!(theme.ground(), Ground::Dark);
    assert_eq!(theme.base(), dark.base());
    assert_eq!(theme.style(Role::Text), dark.style(Role::Text));
    assert_eq!(theme.style(Role::Heading).fg, Some(Color::Rgb(0x11, 0x22, 0x33)));
    let shown =
        Style::new().fg(Color::LightBlue).add_modifier(Modifier::BOLD).add_modifier(Modifier::DIM);
    assert_eq!(theme.style(Role::Shown), shown);
}

#[test]
fn errors_say_where_and_what_would_be_right() {
    let error = |text: &str| Theme::parse(text, "my.toml").unwrap_err().to_string();
    let starts = |text: &str, sentence: &str| {
        let found = error(text);
        assert!(found.starts_with(sentence), "{found}");
        assert!(!found.contains('\n'), "{found}");
    };
    let head = "name = \"x\"\nextends = \"mono\"\n";
    starts(
        &format!("{head}[roles]\ntitle = {{ fg = \"blu\" }}\n"),
        "my.toml, line 4, roles.title.fg: \"blu\" is no colour: write #rrggbb or one of",
    );
    starts(
        &format!("{head}[palette]\na = \"#12345\"\n"),
        "my.toml, line 4, palette.a: \"#12345\" is no colour: write #rrggbb or one of",
    );
    starts(
        &format!("{head}[palette]\na = \"#123456\"\n[roles]\nkey = {{ bg = \"b\" }}\n"),
        "my.toml, line 6, roles.key.bg: \"b\" is no colour: write a name of the palette (a), #rrg",
    );
    starts(
        &format!("{head}[roles]\ntitel = {{}}\n"),
        "my.toml, line 4, roles.titel: is no role: write one of text, dim, title, border,",
    );
    starts(
        &format!("{head}[roles]\ntitle = {{ blink = true }}\n"),
        "my.toml, line 4, title: unknown field `blink`, expected one of `fg`, `bg`, `bold`",
    );
    starts(
        &format!("{head}ground = \"grey\"\n"),
        "my.toml, line 3, ground: unknown variant `grey`, expected one of `dark`, `light`",
    );
    starts(
        &format!("{head}backgrund = \"#123456\"\n"),
        "my.toml, line 3, backgrund: unknown field `backgrund`, expected one of",
    );
    starts("extends = \"mono\"\n", "my.toml: missing field `name`: write name = \"...\"");
    starts("name = \"\"\n", "my.toml, line 1, name: is empty");
    starts(
        "name = \"x\"\nextends = \"drak\"\n",
        "my.toml, line 2, extends: there is no theme \"drak\": choose one of terminal, dark,",
    );
    starts(
        "name = \"dark\"\nextends = \"dark\"\n",
        "my.toml, line 2, extends: \"dark\" leads back to itself: choose one of terminal,",
    );
    starts(
        "name = \"x\"\n[roles]\ntext = {}\n",
        "my.toml, roles: has no style for dim: add it under [roles], or extend a theme",
    );
    starts("name = \"x\"\nground = \n", "my.toml, line 2, ground: ");
    assert_eq!(
        Theme::named("drak").unwrap_err().to_string(),
        "theme: there is no theme \"drak\": choose one of terminal, dark, dusk, light, \
         paper, contrast, sixteen, mono"
    );
}
