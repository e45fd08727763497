-- The append-only trigger stays in force: a rewrite of the table fills existing rows without an UPDATE.
ALTER TABLE "audit_log" ADD COLUMN "uuid" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_uuid_unique" UNIQUE("uuid");