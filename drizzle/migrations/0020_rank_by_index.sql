-- `migrate` builds "teams_ranked" afterwards, concurrently.
SELECT 1;
