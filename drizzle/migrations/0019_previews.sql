ALTER TABLE "uploads" ADD COLUMN "preview" jsonb;--> statement-breakpoint
-- Files handed in before get their previews a quarter of an hour later, when the version before no longer takes any in.
INSERT INTO "jobs" ("kind", "key", "payload", "available_at")
  SELECT 'backfill-previews', 'backfill-previews', '', now() + interval '15 minutes' WHERE EXISTS (SELECT FROM "uploads");
