//! The formats of the `scanf` family, from standard input.

use crate::float;
use crate::kind::Kind;
use crate::library::arguments::Source;
use crate::library::{Call, Returned};
use crate::machine::Ended;

/// One conversion: `%*5ld`.
#[derive(Clone, Copy)]
struct Conversion {
    is_assigned: bool,
    width: usize,
    /// Length modifiers counted: `h` down, `l` up.
    length: i8,
    letter: u8,
}

/// Reads standard input as the format (argument number `format`) says.
pub(super) fn scan(
    call: &mut Call<'_, '_>,
    format: usize,
    mut source: Source,
) -> Result<Returned, Ended> {
    let format = call.string(call.pointer(format)?)?;
    let mut rest = format.as_slice();
    let mut assigned = 0;
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        if byte.is_ascii_whitespace() {
            skip_blanks(call);
            continue;
        }
        if byte != b'%' {
            if !expect(call, byte) {
                return Ok(Returned::Number(assigned));
            }
            continue;
        }
        let (conversion, behind) = parse(rest);
        rest = behind;
        match convert(call, &mut source, conversion)? {
            Matched::Assigned => assigned += 1,
            Matched::Skipped => {}
            Matched::Nothing => return Ok(Returned::Number(assigned)),
            Matched::EndOfInput => {
                return Ok(Returned::Number(if assigned == 0 { -1 } else { assigned }));
            }
        }
    }
    Ok(Returned::Number(assigned))
}

enum Matched {
    Assigned,
    Skipped,
    Nothing,
    EndOfInput,
}

fn parse(mut rest: &[u8]) -> (Conversion, &[u8]) {
    let mut conversion =
        Conversion { is_assigned: true, width: usize::MAX, length: 0, letter: b'%' };
    if let Some(behind) = rest.strip_prefix(b"*") {
        conversion.is_assigned = false;
        rest = behind;
    }
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits > 0 {
        let number = |sum: usize, digit: &u8| sum.saturating_mul(10) + usize::from(digit - b'0');
        conversion.width = rest[..digits].iter().fold(0, number).clamp(1, 1 << 20);
    }
    rest = &rest[digits..];
    while let Some((&letter, behind)) = rest.split_first() {
        rest = behind;
        match letter {
            b'h' => conversion.length -= 1,
            b'l' | b'z' | b't' | b'L' => conversion.length += 1,
            b'j' | b'q' => conversion.length += 2,
            _ => {
                conversion.letter = letter;
                break;
            }
        }
    }
    (conversion, rest)
}

fn convert(
    call: &mut Call<'_, '_>,
    source: &mut Source,
    conversion: Conversion,
) -> Result<Matched, Ended> {
    let reads_blanks = matches!(conversion.letter, b'c' | b'n');
    if !reads_blanks {
        skip_blanks(call);
    }
    match conversion.letter {
        b'%' => Ok(if expect(call, b'%') { Matched::Skipped } else { Matched::Nothing }),
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => integer(call, source, conversion),
        b'f' | b'e' | b'g' | b'E' | b'G' => float(call, source, conversion),
        b's' => text(call, source, conversion, true),
        b'c' => text(call, source, conversion, false),
        letter => {
            let construct = format!("input conversion `%{}`", letter as char);
            Err(call.machine.unsupported(construct))
        }
    }
}

/// Takes characters while `belongs` says so of them and of what came before.
fn take(
    call: &mut Call<'_, '_>,
    width: usize,
    belongs: impl Fn(&[u8], u8) -> bool,
) -> Option<Vec<u8>> {
    let mut taken = Vec::new();
    while taken.len() < width {
        let Some(character) = call.next_character() else {
            return (!taken.is_empty()).then_some(taken);
        };
        if !belongs(&taken, character) {
            call.machine.unread = Some(character);
            break;
        }
        taken.push(character);
    }
    Some(taken)
}

fn integer(
    call: &mut Call<'_, '_>,
    source: &mut Source,
    conversion: Conversion,
) -> Result<Matched, Ended> {
    let radix = match conversion.letter {
        b'x' | b'X' => 16,
        b'o' => 8,
        _ => 10,
    };
    let belongs = |before: &[u8], character: u8| match character {
        b'+' | b'-' => before.is_empty(),
        b'x' | b'X' => radix == 16 && before.last() == Some(&b'0'),
        _ => (character as char).is_digit(radix),
    };
    let Some(taken) = take(call, conversion.width, belongs) else { return Ok(Matched::EndOfInput) };
    let shown = String::from_utf8_lossy(&taken).replace(['x', 'X'], "");
    let Ok(number) = i128::from_str_radix(&shown, radix) else { return Ok(Matched::Nothing) };
    let is_long = call.machine.program().model.pointer_size() == 8;
    let size = match conversion.length {
        ..=-2 => 1,
        -1 => 2,
        0 => 4,
        1 if !is_long => 4,
        _ => 8,
    };
    store(call, source, conversion, number as u128, size)
}

fn float(
    call: &mut Call<'_, '_>,
    source: &mut Source,
    conversion: Conversion,
) -> Result<Matched, Ended> {
    let belongs = |before: &[u8], character: u8| match character {
        b'+' | b'-' => matches!(before.last(), None | Some(b'e' | b'E')),
        b'.' | b'e' | b'E' => !before.contains(&character),
        _ => character.is_ascii_digit(),
    };
    let Some(taken) = take(call, conversion.width, belongs) else { return Ok(Matched::EndOfInput) };
    let Ok(number) = String::from_utf8_lossy(&taken).parse::<f64>() else {
        return Ok(Matched::Nothing);
    };
    let kind = if conversion.length > 0 { Kind::F64 } else { Kind::F32 };
    let bits = kind.bits(float::from_double(kind, number));
    store(call, source, conversion, bits, u64::from(kind.width()) / 8)
}

fn text(
    call: &mut Call<'_, '_>,
    source: &mut Source,
    conversion: Conversion,
    is_word: bool,
) -> Result<Matched, Ended> {
    let width = if is_word || conversion.width != usize::MAX { conversion.width } else { 1 };
    let belongs = |_: &[u8], character: u8| !is_word || !character.is_ascii_whitespace();
    let Some(mut taken) = take(call, width, belongs) else { return Ok(Matched::EndOfInput) };
    if !conversion.is_assigned {
        return Ok(Matched::Skipped);
    }
    if is_word {
        taken.push(0);
    }
    let target = source.next(call, Kind::Pointer)?.value;
    call.write(target, &taken)?;
    Ok(Matched::Assigned)
}

fn store(
    call: &mut Call<'_, '_>,
    source: &mut Source,
    conversion: Conversion,
    bits: u128,
    size: u64,
) -> Result<Matched, Ended> {
    if !conversion.is_assigned {
        return Ok(Matched::Skipped);
    }
    let target = source.next(call, Kind::Pointer)?.value;
    let stored = call.machine.memory.store_bytes(target, size, bits);
    call.machine.accessed(stored)?;
    Ok(Matched::Assigned)
}

fn skip_blanks(call: &mut Call<'_, '_>) {
    while let Some(character) = call.next_character() {
        if !character.is_ascii_whitespace() {
            call.machine.unread = Some(character);
            return;
        }
    }
}

fn expect(call: &mut Call<'_, '_>, wanted: u8) -> bool {
    match call.next_character() {
        Some(character) if character == wanted => true,
        other => {
            call.machine.unread = other;
            false
        }
    }
}
