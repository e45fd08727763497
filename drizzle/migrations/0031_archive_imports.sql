CREATE TYPE "public"."import_fault" AS ENUM('not-an-archive', 'damaged', 'other-version', 'not-empty', 'rejected-rows');--> statement-breakpoint
CREATE TYPE "public"."import_status" AS ENUM('receiving', 'waiting', 'running', 'done', 'failed');--> statement-breakpoint
CREATE TABLE "archive_imports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"file_name" text NOT NULL,
	"size" bigint NOT NULL,
	"parts" integer DEFAULT 0 NOT NULL,
	"status" "import_status" DEFAULT 'receiving' NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"fault" "import_fault",
	"fault_details" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "archive_imports_one" ON "archive_imports" USING btree ((true));