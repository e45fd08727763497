CREATE INDEX "submissions_updated" ON "submissions" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "teams_updated" ON "teams" USING btree ("updated_at");