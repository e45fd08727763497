-- `migrate` builds "codes_email", "jobs_recipient" and "submissions_approved_latest" afterwards, concurrently.
SELECT 1;
