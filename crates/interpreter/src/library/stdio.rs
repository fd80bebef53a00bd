//! `<stdio.h>`: printing to streams and to strings, reading streams.

use heapwright_memory::{BlockId, Value};

use crate::library::arguments::Source;
use crate::library::format::format;
use crate::library::{Builtin, Call, Returned, scan};
use crate::machine::Ended;
use crate::report::LimitKind;

pub(super) const TABLE: &[(&str, Builtin)] = &[
    ("printf", |call| {
        let text = format(call, call.pointer(0)?, Source::Call { next: 1 })?;
        call.print(Stream::Output, &text)
    }),
    ("vprintf", |call| {
        let source = Source::List { list: call.pointer(1)? };
        let text = format(call, call.pointer(0)?, source)?;
        call.print(Stream::Output, &text)
    }),
    ("fprintf", |call| {
        let stream = call.stream(0)?;
        let text = format(call, call.pointer(1)?, Source::Call { next: 2 })?;
        call.print(stream, &text)
    }),
    ("vfprintf", |call| {
        let stream = call.stream(0)?;
        let source = Source::List { list: call.pointer(2)? };
        let text = format(call, call.pointer(1)?, source)?;
        call.print(stream, &text)
    }),
    ("sprintf", |call| {
        let text = format(call, call.pointer(1)?, Source::Call { next: 2 })?;
        call.print_to_memory(text, None)
    }),
    ("vsprintf", |call| {
        let source = Source::List { list: call.pointer(2)? };
        let text = format(call, call.pointer(1)?, source)?;
        call.print_to_memory(text, None)
    }),
    ("snprintf", |call| {
        let limit = call.number(1)? as u64;
        let text = format(call, call.pointer(2)?, Source::Call { next: 3 })?;
        call.print_to_memory(text, Some(limit))
    }),
    ("vsnprintf", |call| {
        let limit = call.number(1)? as u64;
        let source = Source::List { list: call.pointer(3)? };
        let text = format(call, call.pointer(2)?, source)?;
        call.print_to_memory(text, Some(limit))
    }),
    ("puts", |call| {
        let mut text = call.string(call.pointer(0)?)?;
        text.push(b'\n');
        call.print(Stream::Output, &text)
    }),
    ("fputs", |call| {
        let stream = call.stream(1)?;
        let text = call.string(call.pointer(0)?)?;
        call.print(stream, &text)
    }),
    ("putchar", |call| call.print_character(Stream::Output)),
    ("putchar_unlocked", |call| call.print_character(Stream::Output)),
    ("putc", print_character_to),
    ("fputc", print_character_to),
    ("_IO_putc", print_character_to),
    ("fwrite", fwrite),
    ("perror", |call| {
        let mut text = match call.pointer(0)? {
            Value { low: 0, .. } => Vec::new(),
            prefix => [call.string(prefix)?, b": ".to_vec()].concat(),
        };
        text.extend_from_slice(b"Success\n");
        call.print(Stream::Error, &text)?;
        Ok(Returned::Nothing)
    }),
    ("fflush", |_| Ok(Returned::Number(0))),
    ("setbuf", |_| Ok(Returned::Nothing)),
    ("setvbuf", |_| Ok(Returned::Number(0))),
    ("getchar", |call| call.read_character(Stream::Input)),
    ("getchar_unlocked", |call| call.read_character(Stream::Input)),
    ("getc", |call| call.read_from(0)),
    ("fgetc", |call| call.read_from(0)),
    ("_IO_getc", |call| call.read_from(0)),
    ("ungetc", |call| {
        let stream = call.stream(1)?;
        let character = call.number(0)?;
        let kept = u8::try_from(character).ok();
        match stream {
            Stream::File(file) => call.machine.files.put_back(file, kept),
            Stream::Input | Stream::Output | Stream::Error => call.machine.unread = kept,
        }
        Ok(Returned::Number(character))
    }),
    ("fgets", fgets),
    ("scanf", |call| scan::scan(call, 0, Source::Call { next: 1 })),
    ("__isoc99_scanf", |call| scan::scan(call, 0, Source::Call { next: 1 })),
    ("__isoc23_scanf", |call| scan::scan(call, 0, Source::Call { next: 1 })),
    ("vscanf", |call| {
        let source = Source::List { list: call.pointer(1)? };
        scan::scan(call, 0, source)
    }),
    ("fscanf", |call| {
        call.input_stream(0)?;
        scan::scan(call, 1, Source::Call { next: 2 })
    }),
    ("__isoc99_fscanf", |call| {
        call.input_stream(0)?;
        scan::scan(call, 1, Source::Call { next: 2 })
    }),
    ("__isoc23_fscanf", |call| {
        call.input_stream(0)?;
        scan::scan(call, 1, Source::Call { next: 2 })
    }),
];

/// What a `FILE *` stands for.
#[derive(Clone, Copy)]
pub(super) enum Stream {
    Input,
    Output,
    Error,
    /// A file that the program opened, by the block that its pointer points to.
    File(BlockId),
}

impl Call<'_, '_> {
    /// The stream that an argument names.
    pub(super) fn stream(&mut self, index: usize) -> Result<Stream, Ended> {
        let Some(block) = self.pointer(index)?.block() else { return Err(self.unknown_stream()) };
        let streams = self.machine.streams;
        let known = [
            (streams.input, Stream::Input),
            (streams.output, Stream::Output),
            (streams.error, Stream::Error),
        ];
        match known.into_iter().find(|&(known, _)| known == Some(block)) {
            Some((_, stream)) => Ok(stream),
            None if self.machine.files.is_open(block) => Ok(Stream::File(block)),
            None => Err(self.unknown_stream()),
        }
    }

    fn input_stream(&mut self, index: usize) -> Result<(), Ended> {
        let block = self.pointer(index)?.block();
        match block.is_some() && block == self.machine.streams.input {
            true => Ok(()),
            false => Err(self.unknown_stream()),
        }
    }

    pub(super) fn unknown_stream(&self) -> Ended {
        self.machine.unsupported(format!("`{}` with a stream of its own", self.name()))
    }

    fn print(&mut self, stream: Stream, text: &[u8]) -> Result<Returned, Ended> {
        let machine = &mut *self.machine;
        let sink = match stream {
            Stream::Output => &mut machine.output,
            Stream::Error => &mut machine.error_output,
            Stream::File(file) if machine.files.write(file, text) => {
                return Ok(Returned::Number(text.len() as i128));
            }
            // A stream that is only read: nothing is written, and the caller is told.
            Stream::Input | Stream::File(_) => return Ok(Returned::Number(-1)),
        };
        if sink.write_all(text).is_err() {
            return Err(crate::machine::Machine::limit(LimitKind::Output));
        }
        machine.output_bytes += text.len() as u64;
        Ok(Returned::Number(text.len() as i128))
    }

    /// The `sprintf` family: at most `limit` bytes, the closing zero included.
    fn print_to_memory(
        &mut self,
        mut text: Vec<u8>,
        limit: Option<u64>,
    ) -> Result<Returned, Ended> {
        let length = text.len() as i128;
        if limit != Some(0) {
            let kept = limit.map_or(usize::MAX, |limit| limit as usize - 1);
            text.truncate(kept);
            text.push(0);
            let target = self.pointer(0)?;
            self.write(target, &text)?;
        }
        Ok(Returned::Number(length))
    }

    fn print_character(&mut self, stream: Stream) -> Result<Returned, Ended> {
        let character = self.number(0)? as u8;
        match self.print(stream, &[character])? {
            Returned::Number(-1) => Ok(Returned::Number(-1)),
            _ => Ok(Returned::Number(i128::from(character))),
        }
    }

    /// The next character of standard input, one that was put back first.
    pub(super) fn next_character(&mut self) -> Option<u8> {
        match self.machine.unread.take() {
            Some(character) => Some(character),
            None => self.machine.draws.character(),
        }
    }

    /// The next character of any stream.
    pub(super) fn next_character_of(&mut self, stream: Stream) -> Option<u8> {
        match stream {
            Stream::Input => self.next_character(),
            Stream::File(file) => self.machine.files.next_character(file),
            Stream::Output | Stream::Error => None,
        }
    }

    fn read_character(&mut self, stream: Stream) -> Result<Returned, Ended> {
        Ok(Returned::Number(self.next_character_of(stream).map_or(-1, i128::from)))
    }

    fn read_from(&mut self, stream: usize) -> Result<Returned, Ended> {
        let stream = self.stream(stream)?;
        self.read_character(stream)
    }
}

fn print_character_to(call: &mut Call<'_, '_>) -> Result<Returned, Ended> {
    let stream = call.stream(1)?;
    call.print_character(stream)
}

fn fgets(call: &mut Call<'_, '_>) -> Result<Returned, Ended> {
    let stream = call.stream(2)?;
    let target = call.pointer(0)?;
    let limit = call.number(1)? as i64;
    let mut line = Vec::new();
    while (line.len() as i64) < limit - 1 {
        let Some(character) = call.next_character_of(stream) else { break };
        line.push(character);
        if character == b'\n' {
            break;
        }
    }
    if line.is_empty() {
        return Ok(Returned::Pointer(Value::ZERO));
    }
    line.push(0);
    call.write(target, &line)?;
    Ok(Returned::Pointer(target))
}

fn fwrite(call: &mut Call<'_, '_>) -> Result<Returned, Ended> {
    let stream = call.stream(3)?;
    let start = call.pointer(0)?;
    let (size, count) = (call.number(1)? as u64, call.number(2)? as u64);
    let mut text = Vec::new();
    // A product that overflows fails at the end of the block, long before it is reached.
    for number in 0..size.saturating_mul(count) {
        let at = call.machine.offset(start, number);
        text.push(call.machine.load_slowly::<1>(at)? as u8);
    }
    let is_written = !matches!(call.print(stream, &text)?, Returned::Number(-1));
    Ok(Returned::Number(if size == 0 || !is_written { 0 } else { i128::from(count) }))
}
