-- One row per rule by which a competition ranks its solvers.
-- rows: toml
-- key: rule
-- about: what it ranks, in a line
-- document: that says it: its title, section, year and address
-- scenarios: patterns of the scenarios that it is made for, as import names them; null = any; the command competition refuses those of others
-- counts: roles of solvers whose runs count; a solver without a role competes
-- placed: roles of solvers that have a place; the others are shown without
-- track: only instances of this track, such as incremental; null = all
-- category: only solvers of this category, such as fd; null = all
-- answers: all instances, or only those whose answer is sat, or unsat
-- answers_of: which board of sat or unsat a run stands on: instance, that of its instance's answer; run, that of what it says, where it answers
-- disagreement: what happens to an instance on which sound solvers say sat and unsat: removed; kept, and both are right; majority, and the others are wrong
-- truth_by: whose answers tell what is right where nobody knew it before: sound, those of sound solvers; all, and what they contradict each other on is of both
-- clock: the time that limits, penalties and points are about: cpu or wall
-- rounding: whether times are cut to whole seconds
-- time_limit: a later answer does not count; null = the limit that the runs had [s]
-- sequential: whether an answer with more CPU time than the limit does not count
-- capped: whether a run that took longer than the limit, or ran out of memory, has the limit as both of its times
-- wrong: a wrong answer is an error; unsolved and no error; kept as if it were right; disqualified: an error, and the solver has no place on any board; family: an error, the solver solves nothing of that family, and has no place if that happens in two
-- no_answer: what a run in time without an answer is where the answer is known: unsolved, as elsewhere; error, as if it had been wrong
-- solves: claims that solve an instance: sat, unsat, optimal (a solution and its proof), solution (without proof), solved (a file that says no more)
-- scoring: points of a run: answers (by the points below), par, pairs (against each other solver), ratio (of the best objective), value (the objective itself, 0 without one), log (of the time)
-- points_sat: of scoring by answers: points of a right answer, all but unsat
-- points_unsat: points of a right unsat
-- points_wrong_sat: points of a wrong answer, all but unsat
-- points_wrong_unsat: points of a wrong unsat
-- points_unsolved: of all scoring but par and pairs: points of a run that does not solve, and is no error
-- n_answers: whether a run has as many points as answers were counted in it
-- penalty: of par: how many times the limit a run costs that does not solve
-- proofs: of pairs: whether a proof beats a solution without one
-- worse_of_unproved: of pairs: points of the worse of two solutions without proof
-- equal_quality: of pairs of equal answers: points by the share of the times (time), all for the faster, or half; answers without objective are never half
-- pair_points: of pairs: what all other points of pairs are multiplied by
-- both_failed: of pairs: points where neither solves
-- shift: of ratio: what is added to both objectives
-- times: the runs whose time is added up: solved; answered, also wrongly; all
-- aggregation: points of a board are the sum or the mean over instances; half: the sum over half of all instances of the scenario; half_unsolved: the same, and what a board lacks of that half is unsolved
-- balanced: what weighs the same, however many instances it has: division, logic or family; null = instances
-- parts: the boards that there are: all instances of a scenario, and each division, logic or family
-- order_by: what decides the place, first to last; - means more is better
-- lacks: laws that it is known not to have, each with the reason, such as copies: pairs count everybody
select
    null::varchar as rule,
    null::varchar as about,
    null::varchar as document,
    null::varchar[] as scenarios,
    ['competing', 'hors concours', 'derived', 'base']
        ::enum('competing', 'hors concours', 'derived', 'base', 'virtual')[] as counts,
    ['competing']
        ::enum('competing', 'hors concours', 'derived', 'base', 'virtual')[] as placed,
    null::varchar as track,
    null::varchar as category,
    'all'::enum('all', 'sat', 'unsat') as answers,
    'instance'::enum('instance', 'run') as answers_of,
    'kept'::enum('removed', 'kept', 'majority') as disagreement,
    'sound'::enum('sound', 'all') as truth_by,
    'cpu'::enum('cpu', 'wall') as clock,
    'none'::enum('none', 'seconds') as rounding,
    null::double as time_limit,
    false as sequential,
    false as capped,
    'error'::enum('error', 'unsolved', 'kept', 'disqualified', 'family') as wrong,
    'unsolved'::enum('unsolved', 'error') as no_answer,
    ['sat', 'unsat', 'optimal', 'solved']
        ::enum('sat', 'unsat', 'optimal', 'solution', 'solved')[] as solves,
    'answers'::enum('answers', 'par', 'pairs', 'ratio', 'value', 'log') as scoring,
    1::double as points_sat,
    1::double as points_unsat,
    0::double as points_wrong_sat,
    0::double as points_wrong_unsat,
    0::double as points_unsolved,
    false as n_answers,
    2::double as penalty,
    true as proofs,
    0::double as worse_of_unproved,
    'time'::enum('time', 'faster', 'half') as equal_quality,
    1::double as pair_points,
    0::double as both_failed,
    0::double as shift,
    'solved'::enum('solved', 'answered', 'all') as times,
    'sum'::enum('sum', 'mean', 'half', 'half_unsolved') as aggregation,
    null::enum('division', 'logic', 'family') as balanced,
    ['all']::enum('all', 'division', 'logic', 'family')[] as parts,
    ['-points']::enum(
        'errors', '-solved', '-points', 'points', 'wall', 'cpu', 'time', 'mean_time'
    )[] as order_by,
    null::varchar[] as lacks
