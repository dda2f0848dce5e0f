-- One row per rule by which a competition ranks its solvers.
-- rows: toml
-- key: rule
-- about: subject of the ranking, in a line
-- document: source of the rule: title, section, year and address
-- scenarios: patterns of the names of scenarios for which the rule is made; null = any; the command competition refuses other scenarios
-- counts: roles of solvers with runs that count; a solver without a role competes
-- placed: roles of solvers that get a place; others are shown without one
-- track: only instances of this track, such as incremental; null = all
-- category: only solvers of this category, such as fd; null = all
-- answers: instances that count: all; sat: only those with the answer sat; unsat: only those with the answer unsat
-- answers_of: assignment of runs to the boards of sat and unsat: instance: by the answer of the instance; run: by the run's own answer
-- disagreement: treatment of an instance on which sound solvers disagree: removed; kept: both answers are right; majority: the answer of the majority is right, the other wrong
-- truth_by: solvers that determine an unknown right answer: sound: only sound solvers; all: all solvers, and if they contradict each other, both answers are right
-- clock: time that limits, penalties and points use: cpu or wall
-- rounding: whether times are truncated to whole seconds
-- time_limit: time after which answers do not count; null = the limit of the runs [s]
-- sequential: whether an answer with more CPU time than the limit does not count
-- capped: whether the limit replaces both times of a run that took longer than the limit or ran out of memory
-- wrong: a wrong answer is an error; unsolved and no error; kept as if it were right; disqualified: an error, and the solver has no place on any board; family: an error, and the solver solves nothing in this family (after errors in two families it has no place)
-- no_answer: status of a run in time without an answer where the answer is known: unsolved; error, like a wrong answer
-- solves: claims that solve an instance: sat, unsat, optimal (a solution and its proof), solution (without proof), solved (a file that says no more)
-- scoring: points of a run: answers (points_sat to points_unsolved), par, pairs (against each other solver), ratio (to the best objective), value (the objective itself, 0 without one), log (of the time)
-- points_sat: for answers: points of a right answer other than unsat
-- points_unsat: for answers: points of a right answer unsat
-- points_wrong_sat: points of a wrong answer other than unsat
-- points_wrong_unsat: points of a wrong answer unsat
-- points_unsolved: for every scoring except par and pairs: points of an unsolved run without an error
-- n_answers: for answers: whether a run gets one point for each counted answer
-- penalty: for par: cost of an unsolved run, in time limits
-- proofs: for pairs: whether a proof beats a solution without one
-- worse_of_unproved: for pairs: points of the worse of two solutions without proof
-- equal_quality: for pairs with equal answers: time: points by the share of the other solver in the sum of both times; faster: all points for the faster solver; half: half of the points for each solver, except for answers without objective
-- pair_points: for pairs: factor for all other points of pairs
-- both_failed: for pairs: points of each solver if neither solves the instance
-- shift: for ratio: number that is added to both objectives
-- times: runs with times that are added up: solved; answered, also wrongly; all
-- aggregation: points of a board are the sum or the mean over instances; half: the sum over half of all instances of the scenario; half_unsolved: the same, and instances that a board lacks of that half are unsolved
-- balanced: groups that get equal weight, whatever their number of instances: division, logic or family; null = each instance gets equal weight
-- parts: boards of the rule: all instances of a scenario, and each division, logic or family
-- order_by: quantities that decide the place, in this order; - means that more is better
-- lacks: axioms that the rule is known to break, each with the reason, such as copies: pairs count all solvers
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
