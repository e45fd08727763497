-- `migrate` builds "submissions_best", "submissions_rejected", "users_admins" and "users_banned" afterwards, concurrently.
SELECT 1;
