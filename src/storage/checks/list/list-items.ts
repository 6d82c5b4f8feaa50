import type { State, Status } from '../../../core/checks/check.js'
import type { ListItem } from '../../../core/checks/check-list.js'
import { downSince } from '../../../core/checks/check-state.js'
import { isRunningLong } from '../../../core/checks/running-long.js'
import { isRunning, statusAt } from '../../../core/checks/status.js'
import type { Hold } from '../../../core/instance/outage.js'
import type { Db } from '../../db.js'
import { prepared } from '../../prepared.js'
import { isFailing, LISTED_COLUMNS, toListed } from '../rows/check-rows.js'
import { leavingChecks } from '../undos.js'

/** A project whose checks are listed. */
export interface ListedProject {
  id: number
  uuid: string
}

const ofProject = prepared((sql, value: { projectId: number }) =>
  sql
    .selectFrom('checks as c')
    .innerJoin('check_details as d', 'd.check_id', 'c.id')
    .select(LISTED_COLUMNS)
    .where('c.project_id', '=', value.projectId),
)

type Row = Awaited<ReturnType<typeof ofProject.all>>[number]

const toRow = toListed as (values: readonly unknown[]) => Row

/** All checks of projects that stay, with only what filters, order and counts need: there may be ten thousand. */
export async function listItems(
  db: Db,
  projects: readonly ListedProject[],
  now: number,
  hold: Hold | null,
): Promise<ListItem[]> {
  const items: ListItem[] = []
  const leaving = await leavingChecks(
    db,
    projects.map(({ id }) => id),
  )
  for (const { id, uuid } of projects) {
    for (const values of await ofProject.arrays(db, { projectId: id })) {
      const row = toRow(values)
      if (leaving.has(row.uuid)) continue
      const shown = shownState(row, now, hold)
      items.push(Object.assign(row, shown, { failing: isFailing(row, shown.status), project: uuid }))
    }
  }
  return items
}

/** The state of a check at `now` for the list, in place of the stored status. */
export function shownState(
  check: Parameters<typeof isRunningLong>[0] & Stated,
  now: number,
  hold: Hold | null,
) {
  const status = statusAt(check, now, hold)
  const running = isRunning(check, now, hold)
  const isLong = running && isRunningLong(check, now)
  return { status, troubleSince: troubleSince(check, status, isLong), running, runningLong: isLong }
}

function troubleSince(check: Stated, status: Status, isLong: boolean): number | null {
  if (status === 'down') return downSince(check)
  if (status === 'grace') return check.dueAt
  return isLong ? check.lastStart : null
}

type Stated = Pick<State, 'lastStart'> & Parameters<typeof statusAt>[0] & Parameters<typeof downSince>[0]
