-- Penalised runtime of a run: the time if solved, else k times the cutoff; null if k
-- times the cutoff is infinite.
-- source: Amadini et al. 2023, Definition 1
create or replace macro par(time, solved, cutoff, k) as
    case
        when solved then time
        when not solved then nullif(k * cutoff, 'infinity'::double)
    end
