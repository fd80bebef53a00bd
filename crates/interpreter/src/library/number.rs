//! Numbers as `printf` writes them.

use crate::library::format::Conversion;

/// Pads text to the conversion's width with blanks.
pub(crate) fn pad(conversion: &Conversion, shown: &[u8], text: &mut Vec<u8>) {
    let blanks = conversion.width.saturating_sub(shown.len());
    if !conversion.left {
        text.extend(std::iter::repeat_n(b' ', blanks));
    }
    text.extend_from_slice(shown);
    if conversion.left {
        text.extend(std::iter::repeat_n(b' ', blanks));
    }
}

/// Pads a number: zeros go between its sign (or `0x`) and its digits.
fn pad_number(
    conversion: &Conversion,
    prefix: &str,
    digits: &str,
    zeros_allowed: bool,
    text: &mut Vec<u8>,
) {
    let length = prefix.len() + digits.len();
    let zeros = match conversion.zero && !conversion.left && zeros_allowed {
        true => conversion.width.saturating_sub(length),
        false => 0,
    };
    let shown = format!("{prefix}{}{digits}", "0".repeat(zeros));
    pad(conversion, shown.as_bytes(), text);
}

fn sign(conversion: &Conversion, is_negative: bool) -> &'static str {
    match (is_negative, conversion.plus, conversion.space) {
        (true, _, _) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        (false, false, false) => "",
    }
}

/// Leading zeros up to the precision; zero with precision zero is nothing.
fn with_precision(digits: String, precision: Option<usize>) -> String {
    match precision {
        Some(0) if digits == "0" => String::new(),
        Some(precision) => format!("{digits:0>precision$}"),
        None => digits,
    }
}

/// `%d`.
pub(crate) fn signed(conversion: &Conversion, number: i128, text: &mut Vec<u8>) {
    let digits = with_precision(number.unsigned_abs().to_string(), conversion.precision);
    let sign = sign(conversion, number < 0);
    pad_number(conversion, sign, &digits, conversion.precision.is_none(), text);
}

/// `%u`, `%x`, `%X`, `%o`.
pub(crate) fn unsigned(conversion: &Conversion, number: u128, text: &mut Vec<u8>) {
    let digits = match conversion.letter {
        b'x' => format!("{number:x}"),
        b'X' => format!("{number:X}"),
        b'o' => format!("{number:o}"),
        _ => number.to_string(),
    };
    let mut digits = with_precision(digits, conversion.precision);
    if conversion.alternate && conversion.letter == b'o' && !digits.starts_with('0') {
        digits.insert(0, '0');
    }
    let prefix = match conversion.letter {
        b'x' if conversion.alternate && number != 0 => "0x",
        b'X' if conversion.alternate && number != 0 => "0X",
        _ => "",
    };
    pad_number(conversion, prefix, &digits, conversion.precision.is_none(), text);
}

/// `%f`, `%e`, `%g`, `%a` and their capitals.
pub(crate) fn float(conversion: &Conversion, number: f64, text: &mut Vec<u8>) {
    let magnitude = number.abs();
    let mut prefix = sign(conversion, number.is_sign_negative()).to_owned();
    let mut digits = if number.is_nan() {
        "nan".to_owned()
    } else if number.is_infinite() {
        "inf".to_owned()
    } else {
        match conversion.letter.to_ascii_lowercase() {
            b'f' => fixed(magnitude, conversion.precision.unwrap_or(6), conversion.alternate),
            b'e' => scientific(magnitude, conversion.precision.unwrap_or(6), conversion.alternate),
            b'g' => shorter(magnitude, conversion.precision.unwrap_or(6), conversion.alternate),
            _ => {
                prefix.push_str("0x");
                hexadecimal(magnitude, conversion.precision)
            }
        }
    };
    if conversion.letter.is_ascii_uppercase() {
        digits = digits.to_ascii_uppercase();
        prefix = prefix.to_ascii_uppercase();
    }
    pad_number(conversion, &prefix, &digits, number.is_finite(), text);
}

fn fixed(number: f64, precision: usize, with_point: bool) -> String {
    let point = if with_point && precision == 0 { "." } else { "" };
    format!("{number:.precision$}{point}")
}

fn scientific(number: f64, precision: usize, with_point: bool) -> String {
    let shown = format!("{number:.precision$e}");
    let (digits, exponent) = shown.split_once('e').expect("an exponent was asked for");
    let exponent: i32 = exponent.parse().expect("an exponent is a number");
    let point = if with_point && precision == 0 { "." } else { "" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}{point}e{sign}{:02}", exponent.abs())
}

/// `%g`: the shorter of the two notations, without trailing zeros.
fn shorter(number: f64, precision: usize, keep_zeros: bool) -> String {
    let precision = precision.max(1);
    let rounded = format!("{number:.*e}", precision - 1);
    let exponent: i64 = rounded
        .split_once('e')
        .and_then(|(_, exponent)| exponent.parse().ok())
        .expect("an exponent was asked for");
    let is_fixed = (-4..precision as i64).contains(&exponent);
    let shown = match is_fixed {
        true => fixed(number, (precision as i64 - 1 - exponent) as usize, keep_zeros),
        false => scientific(number, precision - 1, keep_zeros),
    };
    if keep_zeros || !shown.contains('.') {
        return shown;
    }
    let (digits, exponent) = match shown.find('e') {
        Some(at) => shown.split_at(at),
        None => (shown.as_str(), ""),
    };
    let digits = digits.trim_end_matches('0').trim_end_matches('.');
    format!("{digits}{exponent}")
}

/// `%a`, without its prefix.
fn hexadecimal(number: f64, precision: Option<usize>) -> String {
    let bits = number.to_bits();
    let mut exponent = (bits >> 52 & 0x7ff) as i64 - 1023;
    let mut fraction = bits & ((1 << 52) - 1);
    let mut leading = 1;
    if exponent == -1023 {
        leading = 0;
        exponent = if fraction == 0 { 0 } else { -1022 };
    }
    let mut kept = 13;
    if let Some(precision) = precision.filter(|&precision| precision < 13) {
        // Round half to even at the last digit that is kept.
        let dropped = 4 * (13 - precision) as u32;
        let whole = leading << 52 | fraction;
        let half = 1u64 << (dropped - 1);
        let rest = whole & ((1 << dropped) - 1);
        let mut rounded = whole >> dropped;
        rounded += u64::from(rest > half || rest == half && rounded & 1 == 1);
        leading = rounded << dropped >> 52;
        fraction = rounded << dropped & ((1 << 52) - 1);
        kept = precision;
    }
    let all = format!("{fraction:013x}");
    let digits = match precision {
        Some(precision) => format!("{:0<precision$}", &all[..kept]),
        None => all.trim_end_matches('0').to_owned(),
    };
    let point = if digits.is_empty() { "" } else { "." };
    format!("{leading}{point}{digits}p{exponent:+}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(letter: u8, precision: Option<usize>, number: f64) -> String {
        let conversion = Conversion { letter, precision, ..Conversion::default() };
        let mut text = Vec::new();
        float(&conversion, number, &mut text);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn floats_are_written_as_glibc_writes_them() {
        assert_eq!(show(b'f', None, 3.25), "3.250000");
        assert_eq!(show(b'f', Some(0), 2.5), "2");
        assert_eq!(show(b'e', None, 12345.678), "1.234568e+04");
        assert_eq!(show(b'e', Some(2), 0.0), "0.00e+00");
        assert_eq!(show(b'g', None, 100000.0), "100000");
        assert_eq!(show(b'g', None, 1000000.0), "1e+06");
        assert_eq!(show(b'g', None, 0.0001), "0.0001");
        assert_eq!(show(b'g', None, 0.00001234), "1.234e-05");
        assert_eq!(show(b'g', None, 0.0), "0");
        assert_eq!(show(b'a', None, 1.0), "0x1p+0");
        assert_eq!(show(b'a', None, 0.1), "0x1.999999999999ap-4");
        assert_eq!(show(b'a', Some(1), 1.9999), "0x2.0p+0");
        assert_eq!(show(b'F', None, f64::INFINITY), "INF");
        assert_eq!(show(b'f', Some(1), -0.05), "-0.1");
    }

    #[test]
    fn integers_obey_flags_width_and_precision() {
        let mut text = Vec::new();
        let base = Conversion { letter: b'd', ..Conversion::default() };
        signed(&Conversion { width: 6, zero: true, ..base }, -42, &mut text);
        signed(&Conversion { width: 6, precision: Some(3), zero: true, ..base }, 42, &mut text);
        signed(&Conversion { width: 4, left: true, plus: true, ..base }, 7, &mut text);
        unsigned(&Conversion { letter: b'x', alternate: true, ..base }, 255, &mut text);
        unsigned(&Conversion { letter: b'o', alternate: true, ..base }, 8, &mut text);
        signed(&Conversion { precision: Some(0), ..base }, 0, &mut text);
        assert_eq!(String::from_utf8(text).unwrap(), "-00042   042+7  0xff010");
    }
}
