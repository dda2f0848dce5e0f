-- One row per file of a scenario.
-- key: file
-- file: name of the file
-- bytes: size of the file [byte]
-- sha256: SHA-256 hash of the content
-- text: content of the file if the file is readme, citation or description
select file, bytes, sha256, text
from raw_source
where scenario_id = $scenario
order by file
