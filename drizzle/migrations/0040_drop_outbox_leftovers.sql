DROP VIEW "outbox";--> statement-breakpoint
DROP INDEX "teams_leaderboard";--> statement-breakpoint
ALTER TABLE "jobs" ALTER COLUMN "kind" DROP DEFAULT;
