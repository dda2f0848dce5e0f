"""Results of programs that run solvers: BenchExec and StarExec."""
