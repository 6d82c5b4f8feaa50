import pg from 'pg'
import { eventually } from './eventually.js'

/** Makes transactions on PostgreSQL stop before their commit, so that another one can run beside them. */
export class CommitBarrier {
  private constructor(
    private readonly client: pg.Client,
    private readonly table: string,
  ) {}

  /** From now on, every transaction that writes to `table`, by `event`, stops before its commit. */
  static async raise(url: string, table: string, event: 'INSERT' | 'UPDATE'): Promise<CommitBarrier> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`
      SELECT pg_advisory_lock(1);
      CREATE FUNCTION at_barrier() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER at_barrier AFTER ${event} ON ${table}
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION at_barrier();`)
    return new CommitBarrier(client, table)
  }

  /** Resolves when this many transactions wait, at the barrier or for each other. */
  async waiting(count: number): Promise<void> {
    await eventually(async () => {
      const { rows } = await this.client.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      )
      return rows.length >= count
    })
  }

  /** Lets the transactions commit. */
  async open(): Promise<void> {
    await this.client.query('SELECT pg_advisory_unlock_all()')
  }

  /** Removes the barrier. */
  async remove(): Promise<void> {
    await this.open()
    await this.client.query(`DROP TRIGGER at_barrier ON ${this.table}; DROP FUNCTION at_barrier();`)
    await this.client.end()
  }
}
