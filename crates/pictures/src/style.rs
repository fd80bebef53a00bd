//! Colours and strokes of pictures, light and dark. Every colour comes with a second sign: dashes, a
//! cross, a word.

/// The variables that pages and pictures share.
pub const PAGE_COLOURS: &str = "--bg:#fff;--ink:#1b1f24;--mute:#5b6570;--line:#8a94a0;--card:#fff;--head:#eef2f6;--link:#0b63a5;--bad:#b3400a;--badbg:#fdeee6;--new:#8a5a00;--newbg:#fff3d1;--fact:#00664a;--factbg:#e2f5ee;--back:#7a3e78";
/// The same where it is dark.
pub const PAGE_COLOURS_DARK: &str = "--bg:#15191e;--ink:#e8edf2;--mute:#a3aeb9;--line:#6b7683;--card:#1e242b;--head:#2a323b;--link:#6cb8f0;--bad:#ff9a66;--badbg:#3a241a;--new:#f0c04a;--newbg:#3a3016;--fact:#5fd0a8;--factbg:#16352b;--back:#dda0da";

/// The rules of pictures, without their colours.
pub const PICTURE_STYLE: &str = "\
svg.hw{font:13px/1.3 ui-sans-serif,system-ui,\"DejaVu Sans\",sans-serif;background:var(--bg)}
.hw text{fill:var(--ink)}.hw .m{fill:var(--mute)}.hw .s{font-size:11.5px}.hw .c{font-family:ui-monospace,\"DejaVu Sans Mono\",monospace;font-size:12.5px}.hw .b{font-weight:600}
.hw .e{text-anchor:end}.hw .mid{text-anchor:middle}
.hw .card{fill:var(--card);stroke:var(--line);stroke-width:1.25}.hw .bar{fill:var(--head)}.hw .rule{stroke:var(--line);stroke-width:.75;opacity:.55}
.hw .link{fill:none;stroke:var(--link);stroke-width:1.75}.hw .dot{fill:var(--link)}.hw .tip{fill:var(--link)}
.hw .blk{fill:none;stroke:var(--back);stroke-width:1.75}.hw .bdot,.hw .btip{fill:var(--back)}
.hw .stale{stroke-dasharray:5 4;opacity:.75}.hw .gone .card{stroke:var(--bad);stroke-dasharray:6 4;fill:var(--badbg)}.hw .lost .card{stroke:var(--new);stroke-width:2.25}.hw .now .card{stroke-width:2.25}.hw .cross{stroke:var(--bad);stroke-width:1.25;opacity:.55}
.hw .badtext{fill:var(--bad);font-weight:600}.hw .hit{fill:none;stroke:var(--bad);stroke-width:2.5}
.hw .pill{fill:var(--head);stroke:var(--line)}.hw .pbad{fill:var(--badbg);stroke:var(--bad)}.hw .pfact{fill:var(--factbg);stroke:var(--fact)}.hw .tfact{fill:var(--fact);font-weight:600}
.hw .new{fill:var(--newbg)}.hw .tnew{fill:var(--new);font-weight:600}
";

/// All rules, for a picture that stands alone.
pub(crate) fn standalone() -> String {
    format!(
        "svg.hw{{{PAGE_COLOURS}}}\n@media (prefers-color-scheme:dark){{svg.hw{{{PAGE_COLOURS_DARK}}}}}\n{PICTURE_STYLE}"
    )
}
