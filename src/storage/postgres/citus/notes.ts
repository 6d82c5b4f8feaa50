/** The keys of `meta` that say how the tables of a database lie. A copy of its data does not take them over. */

/** The constraints that distributed tables cannot have, as JSON. */
export const REMOVED_CONSTRAINTS = 'constraints_before_distribution'

/** Changes when servers have to open the database anew, because its tables move. */
export const MOVE_NOTICE = 'move_notice'

/** The ID of pings up to which the log is still to be moved. */
export const LOG_MOVED_DOWN_TO = 'log_moved_down_to'
