/** What Citus distributes over the workers. Decision 0150. */

/** A table whose rows lie with their check. */
export interface DistributedTable {
  name: string
  /** The column with the check's ID. */
  column: string
}

/**
 * In the order in which they are distributed: `checks` first, with which the others are colocated. Everything else stays on
 * the coordinator, also the links of checks to channels, which are read with channels and what waits for them.
 */
export const DISTRIBUTED: readonly DistributedTable[] = [
  { name: 'checks', column: 'id' },
  { name: 'check_details', column: 'check_id' },
  { name: 'flips', column: 'check_id' },
  { name: 'passed_deadlines', column: 'check_id' },
  { name: 'pings', column: 'check_id' },
]

/**
 * How many IDs of pings are reserved at once. The coordinator gives them out, because the log of a
 * project is in their order; a worker's own would all be greater or smaller than another's.
 */
export const RESERVED_IDS = 1024

/** Copies the names of all checks, or, with a condition added, of some. */
export const COPY_NAMES = `INSERT INTO check_names (check_id, uuid, project_id, slug, unique_key, badge_key)
   SELECT c.id, c.uuid, c.project_id, d.slug, d.unique_key, d.badge_key
     FROM checks c JOIN check_details d ON d.check_id = c.id`

/**
 * The names by which checks are found. A distributed table can only have unique constraints that contain the ID of the check,
 * so the other names of checks are unique here; see checks/rows/name-directory.ts.
 */
export const CHECK_NAMES = [
  `CREATE TABLE check_names (
    check_id   BIGINT PRIMARY KEY,
    uuid       TEXT COLLATE "C" NOT NULL UNIQUE,
    project_id BIGINT NOT NULL,
    slug       TEXT COLLATE "C" NOT NULL,
    unique_key TEXT COLLATE "C" NOT NULL UNIQUE,
    badge_key  TEXT COLLATE "C" NOT NULL UNIQUE
  )`,
  'CREATE INDEX check_names_slug ON check_names (project_id, slug)',
  COPY_NAMES,
]
