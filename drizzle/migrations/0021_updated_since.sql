-- `migrate` builds "teams_updated" and "submissions_updated" afterwards, concurrently.
SELECT 1;
