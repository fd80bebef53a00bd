//! Files of `<stdio.h>`, which exist in the machine only: a program reads back what it wrote, and
//! no file is there before it starts. What the disk would have held is the world's, so a run that
//! opens a file depends on more than its program.

use std::collections::BTreeMap;

use heapwright_memory::{BlockId, Value};

use crate::library::stdio::Stream;
use crate::library::{Builtin, Call, Returned};
use crate::machine::Ended;

pub(super) const TABLE: &[(&str, Builtin)] = &[
    ("fopen", open),
    ("fopen64", open),
    ("fclose", close),
    ("fread", read_block),
    ("feof", |call| call.file_flag(|file| file.is_at_end)),
    ("ferror", |call| call.file_flag(|_| false)),
    ("rewind", |call| {
        let file = call.file(0)?;
        (file.position, file.is_at_end, file.unread) = (0, false, None);
        Ok(Returned::Nothing)
    }),
];

/// All files of a machine: what is in them, and which are open.
#[derive(Debug, Default)]
pub(crate) struct Files {
    contents: BTreeMap<Vec<u8>, Vec<u8>>,
    open: BTreeMap<BlockId, OpenFile>,
    opened: u64,
}

#[derive(Debug)]
struct OpenFile {
    name: Vec<u8>,
    position: usize,
    is_readable: bool,
    is_writable: bool,
    /// Mode `a`: whatever is written goes to the end.
    is_appending: bool,
    /// A read found the end.
    is_at_end: bool,
    unread: Option<u8>,
}

impl Files {
    /// Whether no file was ever opened.
    pub(crate) fn is_empty(&self) -> bool {
        self.opened == 0
    }

    pub(super) fn is_open(&self, stream: BlockId) -> bool {
        self.open.contains_key(&stream)
    }

    /// The next character of an open file.
    pub(super) fn next_character(&mut self, stream: BlockId) -> Option<u8> {
        let file = self.open.get_mut(&stream)?;
        if let Some(character) = file.unread.take() {
            return Some(character);
        }
        let next = match file.is_readable {
            true => self.contents.get(&file.name).and_then(|text| text.get(file.position)),
            false => None,
        };
        match next {
            Some(_) => file.position += 1,
            None => file.is_at_end = true,
        }
        next.copied()
    }

    pub(super) fn put_back(&mut self, stream: BlockId, character: Option<u8>) {
        if let Some(file) = self.open.get_mut(&stream) {
            (file.unread, file.is_at_end) = (character, false);
        }
    }

    /// Writes to an open file; says whether it may be written.
    pub(super) fn write(&mut self, stream: BlockId, text: &[u8]) -> bool {
        let Some(file) = self.open.get_mut(&stream) else { return false };
        if !file.is_writable {
            return false;
        }
        let contents = self.contents.entry(file.name.clone()).or_default();
        if file.is_appending {
            file.position = contents.len();
        }
        let end = file.position + text.len();
        contents.resize(contents.len().max(end), 0);
        contents[file.position..end].copy_from_slice(text);
        file.position = end;
        true
    }
}

impl Call<'_, '_> {
    /// The open file that an argument names.
    fn file(&mut self, index: usize) -> Result<&mut OpenFile, Ended> {
        let block = self.pointer(index)?.block();
        let unknown = self.unknown_stream();
        block.and_then(|block| self.machine.files.open.get_mut(&block)).ok_or(unknown)
    }

    fn file_flag(&mut self, flag: fn(&OpenFile) -> bool) -> Result<Returned, Ended> {
        Ok(Returned::Number(i128::from(flag(self.file(0)?))))
    }
}

fn open(call: &mut Call<'_, '_>) -> Result<Returned, Ended> {
    let name = call.string(call.pointer(0)?)?;
    let mode = call.string(call.pointer(1)?)?;
    call.machine.draws.depend();
    let exists = call.machine.files.contents.contains_key(&name);
    let is_both = mode.contains(&b'+');
    match mode.first() {
        Some(b'r') if !exists => return Ok(Returned::Pointer(Value::ZERO)),
        Some(b'r') => {}
        Some(b'w') => drop(call.machine.files.contents.insert(name.clone(), Vec::new())),
        Some(b'a') => drop(call.machine.files.contents.entry(name.clone()).or_default()),
        Some(_) | None => return Ok(Returned::Pointer(Value::ZERO)),
    }
    let number = call.machine.files.opened;
    let stream = call.machine.new_stream(number)?;
    let file = OpenFile {
        name,
        position: 0,
        is_readable: is_both || mode[0] == b'r',
        is_writable: is_both || mode[0] != b'r',
        is_appending: mode[0] == b'a',
        is_at_end: false,
        unread: None,
    };
    call.machine.files.open.insert(stream, file);
    call.machine.files.opened += 1;
    Ok(Returned::Pointer(call.machine.memory.pointer_to(stream)))
}

fn close(call: &mut Call<'_, '_>) -> Result<Returned, Ended> {
    match call.stream(0)? {
        Stream::File(block) => drop(call.machine.files.open.remove(&block)),
        Stream::Input | Stream::Output | Stream::Error => {}
    }
    Ok(Returned::Number(0))
}

fn read_block(call: &mut Call<'_, '_>) -> Result<Returned, Ended> {
    let stream = call.stream(3)?;
    let target = call.pointer(0)?;
    let (size, count) = (call.number(1)? as u64, call.number(2)? as u64);
    let mut read = 0;
    while read < size.saturating_mul(count) {
        let Some(character) = call.next_character_of(stream) else { break };
        let at = call.machine.offset(target, read);
        call.write(at, &[character])?;
        read += 1;
    }
    Ok(Returned::Number(i128::from(read.checked_div(size).unwrap_or(0))))
}
