-- `migrate` builds "jobs_due_of_kind" afterwards, concurrently, then drops "jobs_due".
SELECT 1;
