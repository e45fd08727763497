-- `migrate` builds "submissions_waiting" afterwards, concurrently.
ALTER TABLE "submissions" ADD COLUMN "resubmitted_at" timestamp (3) with time zone;
