"""What the linter can say: every code, its severity and its meaning."""

from __future__ import annotations

from collections.abc import Mapping

from aslib_eval.errors import Severity

# What would make a number wrong or incomplete: such a scenario is not imported.
ERRORS: Mapping[str, str] = {
    "arff-encoding": "The file holds bytes that are not UTF-8 text.",
    "arff-header": "The header of the ARFF file cannot be read.",
    "arff-no-data": "The ARFF file is empty or has no @DATA line.",
    "arff-row": "A row does not fit the columns declared in the header.",
    "column-missing": "A column that identifies the rows is not declared.",
    "column-type": "A column that must hold numbers is not declared NUMERIC.",
    "cost-invalid": "A feature cost is negative or infinite.",
    "cv-incomplete": "An instance has no fold in some repetition of cv.arff.",
    "description-missing": "There is no description.txt.",
    "id": "An identifying cell is empty, or a counter is no whole number.",
    "instance-missing": "An instance of the runs does not occur in another file.",
    "instance-unknown": "An instance of another file has no run.",
    "measure-missing": "A declared measure has no column in the runs.",
    "run-missing": "An algorithm has no run on an instance.",
    "run-unbalanced": "A run has fewer repetitions than others have.",
    "row-duplicate": "Two rows have the same identifying cells.",
    "runs-empty": "The file of the runs holds no run.",
    "runtime-negative": "A successful run has a negative runtime.",
    "split-contradiction": "Training and test part of a contest contradict each other.",
    "split-overlap": "Training and test part of a contest share instances.",
    "status-column": "The runs have no column runstatus that holds text.",
    "status-missing": "A run has no status.",
    "status-spelling": "A status is a known one in other letters or with blanks.",
    "trajectory-measure": "There are trajectories but no quality measure.",
    "trajectory-order": "A point of a run was found before the one above it.",
    "trajectory-unknown": "A trajectory belongs to no run.",
    "trajectory-value": "A point of a trajectory has no finite value, or no time.",
    "uai-contest": "The settings or the folder of a contest do not make sense.",
    "uai-format": "A network, its evidence or query does not follow its format.",
    "uai-role": "A given best or trivial answer is none.",
    "uai-truth": "There is no true value to measure answers against.",
    "uai-value": "A table of a network holds a negative or no number.",
    "unreadable": "The scenario cannot be opened or unpacked.",
    "value-missing": "A successful run has no finite value.",
    "yaml": "description.txt is not YAML of keys and values.",
    "yaml-duplicate": "A key occurs twice in description.txt.",
    "yaml-key": "description.txt gives no scenario_id.",
    "yaml-measures": "Measures, their types and directions do not fit together.",
    "yaml-type": "A value in description.txt is of the wrong kind.",
}

# What may make a reader of the numbers draw a wrong conclusion.
WARNINGS: Mapping[str, str] = {
    "algorithm-renamed": "Files name an algorithm alike only after R's make.names.",
    "algorithm-without-runs": "An algorithm is described but has no run.",
    "cost-above-cutoff": "A feature step costs more than a cutoff allows.",
    "cutoff-implausible": "The largest successful runtime is far below the cutoff.",
    "cutoff-missing": "A runtime measure has no cutoff above 0.",
    "cv-identical": "Repetitions of the cross-validation are copies of each other.",
    "cv-one-fold": "A repetition of the cross-validation has a single fold.",
    "default-step-unknown": "A default step is not among the feature steps.",
    "feature-infinite": "A feature value is infinite.",
    "feature-leak": "Instances of different folds have identical feature vectors.",
    "feature-no-column": "A declared feature has no column.",
    "feature-repetitions": "Instances have different numbers of repetitions.",
    "feature-status-missing": "A feature step has no status.",
    "feature-undeclared": "A feature column is not declared in description.txt.",
    "feature-without-step": "A feature is provided by no feature step.",
    "file-misspelt": "A file is not read; its name looks like a misspelt one.",
    "id-spelling": "Names differ only by case or by blanks around them.",
    "measure-by-position": "Measure columns have other names than declared.",
    "measure-undeclared": "A column of the runs is not a declared measure.",
    "ok-at-cutoff": "A run is ok although its runtime is not below the cutoff.",
    "requires-cyclic": "Feature steps require each other.",
    "requires-unknown": "A feature step requires a step that is not declared.",
    "runtime-maximized": "A runtime is declared to be the better the larger.",
    "runtime-pile-up": "Suspiciously many successful runs end at the cutoff.",
    "split-difference": "Training and test part of a contest differ in details.",
    "status-mixed": "Repetitions of a run disagree on its success.",
    "status-unknown": "A status is not one of the format.",
    "step-feature-unknown": "A step provides a feature that is not declared.",
    "step-no-column": "A declared feature step has no column.",
    "step-undeclared": "A column is not a declared feature step.",
    "test-algorithms": "The test set has other algorithms than the main set.",
    "test-overlap": "Instances of the test set are in the main set too.",
    "trajectory-disagrees": "A run's value is not the best point on its way.",
    "trajectory-late": "A point of a trajectory lies after the cutoff.",
    "uai-answer": "An answer is none; it scores 0.",
    "uai-leftover": "An answer belongs to no network, role or limit.",
    "uai-rows": "A table of a Bayesian network holds no distributions.",
    "uai-scale": "The trivial answer leaves no scale for a score.",
    "unsolved-below-cutoff": "An unsuccessful run has a runtime below the cutoff.",
    "unsolved-encoding-mixed": "Unsuccessful runs are recorded in several ways.",
}

# What is worth knowing.
NOTES: Mapping[str, str] = {
    "algorithm-undescribed": "An algorithm with runs is not described.",
    "column-order": "Columns are not in the order of the format.",
    "cost-missing": "The cost of a feature step is not known.",
    "feature-constant": "A feature has the same value everywhere.",
    "feature-empty": "A feature has no value at all.",
    "feature-listed-twice": "A feature is listed twice.",
    "feature-nan": "A feature value is the word NaN where the format has '?'.",
    "feature-sentinel": "A feature has values that look like codes for missing.",
    "feature-several-steps": "A feature is provided by more than one step.",
    "feature-text": "A feature is not numeric.",
    "file-missing": "A file of the format is absent.",
    "file-unknown": "An ARFF file is not one of the format; it is not read.",
    "instance-without-features": "All features of an instance are missing.",
    "key-missing": "description.txt lacks a key of the format.",
    "key-unknown": "description.txt has a key that is not one of the format.",
    "runtime-zero": "A successful run took no time at all.",
    "scenario-id-folder": "scenario_id is not the name of the folder.",
    "step-count": "number_of_feature_steps is not the number of feature steps.",
    "trajectory-missing": "A successful run has no trajectory, others have.",
    "unsolved-encoding": "How the runs that failed are recorded, all in one way.",
}

# Severity never depends on the case at hand, only on the code.
CODES: dict[str, str] = dict(sorted({**ERRORS, **WARNINGS, **NOTES}.items()))


SEVERITIES: dict[str, Severity] = {
    **dict.fromkeys(ERRORS, "error"),
    **dict.fromkeys(WARNINGS, "warning"),
    **dict.fromkeys(NOTES, "note"),
}
