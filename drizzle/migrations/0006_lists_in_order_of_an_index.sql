DROP INDEX "audit_log_newest";--> statement-breakpoint
DROP INDEX "audit_log_actor";--> statement-breakpoint
CREATE INDEX "users_by_name" ON "users" USING btree (lower("name"),"id");--> statement-breakpoint
CREATE INDEX "users_by_warnings" ON "users" USING btree ("warning_count","id");--> statement-breakpoint
CREATE INDEX "audit_log_target" ON "audit_log" USING btree ("target_id","id");--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" USING btree ("actor_id","id");