-- One row per file of a scenario.
-- key: file
-- parameter scenario: scenario
-- file: file name
-- bytes: size [byte]
-- sha256: SHA-256 of the content
-- text: content of readme, citation and description
select file, bytes, sha256, text
from raw_source
where scenario_id = $scenario
order by file
