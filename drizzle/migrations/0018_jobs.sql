-- The outbox becomes a queue of jobs of any kind. Nothing is copied: the version before goes on with the same rows, and the same leases,
-- through a view of the old name, which a later migration drops.
ALTER TABLE "outbox" RENAME TO "jobs";--> statement-breakpoint
ALTER TYPE "outbox_status" RENAME TO "job_status";--> statement-breakpoint
ALTER TYPE "job_status" ADD VALUE 'done';--> statement-breakpoint
ALTER TABLE "jobs" RENAME COLUMN "sent_at" TO "done_at";--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "kind" text DEFAULT 'mail' NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "key" text;--> statement-breakpoint
ALTER TABLE "jobs" ALTER COLUMN "template" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ALTER COLUMN "recipient" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ALTER COLUMN "language" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_mail" CHECK ("jobs"."kind" <> 'mail' or num_nulls("jobs"."template", "jobs"."recipient", "jobs"."language") = 0);--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_key" ON "jobs" USING btree ("key") WHERE "jobs"."key" is not null;--> statement-breakpoint
ALTER INDEX "outbox_due" RENAME TO "jobs_due";--> statement-breakpoint
ALTER INDEX "outbox_done" RENAME TO "jobs_done";--> statement-breakpoint
ALTER INDEX "outbox_dead" RENAME TO "jobs_dead";--> statement-breakpoint
-- The primary key, and from PostgreSQL 18 on what is not null.
DO $$
DECLARE old_name text;
BEGIN
  FOR old_name IN SELECT conname FROM pg_constraint WHERE conrelid = 'jobs'::regclass AND conname LIKE 'outbox\_%' LOOP
    EXECUTE format('ALTER TABLE jobs RENAME CONSTRAINT %I TO %I', old_name, 'jobs' || substr(old_name, 7));
  END LOOP;
END $$;--> statement-breakpoint
CREATE VIEW "outbox" AS
  SELECT "id", "template", "recipient", "language", "payload", "status", "attempts", "available_at", "lease_until", "expires_at", "last_error",
    "created_at", "done_at" AS "sent_at", ctid
  FROM "jobs" WHERE "kind" = 'mail';
