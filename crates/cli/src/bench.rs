//! `bench`, `compare-allocation` and `reproduce`: the crate `bench` does it all; here are the exit codes.

use std::io;
use std::process::ExitCode;

use heapwright_bench::{
    AllocationArguments, BenchArguments, BenchSettings, Compared, ReproduceArguments, Reproduced,
    compare_allocation as compare, reproduce as repeat, run_bench,
};

use crate::exit;
use crate::terminal::complain;

pub(crate) fn bench(arguments: BenchArguments) -> ExitCode {
    let outcome = BenchSettings::try_from(arguments)
        .and_then(|settings| run_bench(&settings, &mut io::stdout().lock()));
    match outcome {
        Ok(outcome) if outcome.interrupted => ExitCode::from(exit::INTERRUPTED),
        Ok(outcome) if outcome.has_wrong_answer() => ExitCode::from(exit::BENCH_FAILED),
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("error: {error}\n"));
            ExitCode::from(exit::BENCH_FAILED)
        }
    }
}

pub(crate) fn compare_allocation(arguments: AllocationArguments) -> ExitCode {
    match compare(arguments, &mut io::stdout().lock()) {
        Ok(Compared::Correct) => ExitCode::SUCCESS,
        Ok(Compared::Wrong) => ExitCode::from(exit::BENCH_FAILED),
        Ok(Compared::Interrupted) => ExitCode::from(exit::INTERRUPTED),
        Err(error) => {
            complain(&format!("error: {error}\n"));
            ExitCode::from(exit::BENCH_FAILED)
        }
    }
}

pub(crate) fn reproduce(arguments: ReproduceArguments) -> ExitCode {
    match repeat(arguments, &mut io::stdout().lock()) {
        Ok(Reproduced::Correct) => ExitCode::SUCCESS,
        Ok(Reproduced::Wrong) => ExitCode::from(exit::BENCH_FAILED),
        Ok(Reproduced::Interrupted) => ExitCode::from(exit::INTERRUPTED),
        Err(error) => {
            complain(&format!("error: {error}\n"));
            ExitCode::from(exit::BENCH_FAILED)
        }
    }
}
