/** The context of every page besides its subject. */
import { may, type Role } from '../core/people/role.js'
import type { Theme } from '../core/people/theme.js'

/** A sentence shown once, after an action. */
export interface FlashMessage {
  kind: 'good' | 'bad'
  text: string
  /** The path of the form that undoes the action, and for how long (ms) it is offered; null if it cannot be undone. */
  undo?: { path: string; forMs: number } | null
}

export interface PageContext {
  /** The reader; null if nobody is signed in. */
  user: { email: string; timezone: string; theme: Theme } | null
  /** The project to which the page belongs. `warning`: what is wrong with its channels. */
  project: { uuid: string; name: string; role: Role; warning: string | null } | null
  /** The projects to which the reader can switch. */
  projects: readonly { uuid: string; name: string; role: Role; down: number }[]
  /** The path of SITE_ROOT without a trailing slash; empty if none. Every link begins with it. */
  base: string
  siteName: string
  /** The token that every form contains. */
  csrf: string
  /** The instant from which relative times are counted, in milliseconds. */
  now: number
  /** The number of checks that are down: of the project, or of all projects on pages without one. */
  problems: number
  flash: FlashMessage | null
}

/** The address of a page of this site. `path` begins with a slash and is relative to SITE_ROOT. */
export function link(page: Pick<PageContext, 'base'>, path: string): string {
  return page.base + path
}

/** Whether the reader may change things in the page's project. */
export function mayWrite(page: Pick<PageContext, 'project'>): boolean {
  return page.project !== null && may(page.project.role, 'write')
}

/** The time zone in which times are shown to the reader. */
export function zoneOf(page: Pick<PageContext, 'user'>): string {
  return page.user?.timezone ?? 'UTC'
}

/** The page with its times in the zone `tz`. */
export function inZone(page: PageContext, tz: string): PageContext {
  return page.user ? { ...page, user: { ...page.user, timezone: tz } } : page
}
