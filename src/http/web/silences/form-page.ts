import { suggestedTags } from '../../../core/checks/suggested-tags.js'
import { zoneNames } from '../../../core/schedule/index.js'
import type { ShownSilence } from '../../../core/silences/shown-silence.js'
import { previewTimes, type SilenceForm, sentSilenceForm } from '../../../core/silences/silence-form.js'
import { silenceLabel } from '../../../core/silences/silence-words.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import type { Problem } from '../../../views/components/forms/form-problem.js'
import { zoneOf } from '../../../views/page-context.js'
import { SilenceFormPage } from '../../../views/pages/silences/silence-form.js'
import { shownChannels } from '../checks/shown-channels.js'
import type { WebContext } from '../context.js'
import { cut, type Form } from '../form.js'
import { pageContext } from '../page-context.js'

/** The page of the form, as HTML. */
export async function silenceFormPage(
  c: WebContext,
  project: ProjectAccess,
  silence: ShownSilence | null,
  form: SilenceForm,
  problem: Problem | null,
) {
  const { store } = c.var.deps
  const page = await pageContext(c, project)
  const [checks, channels, tags, managedBy] = await Promise.all([
    store.silences.choosableChecks(project.id, form.checks),
    store.channels.list(project.id),
    store.checks.usedTags([project.id]),
    silence && store.projects.configOwner(project.id, 'silences', String(silence.id)),
  ])
  const edited = silence && {
    id: silence.id,
    label: silenceLabel(silence),
    hasBegun: silence.times.from <= page.now,
  }
  return SilenceFormPage({
    page,
    projectUuid: project.uuid,
    silence: edited,
    managedBy,
    form,
    problem,
    times: previewTimes(form, zoneOf(page), page.now),
    checks,
    channels: shownChannels(channels.filter(({ kind }) => kind !== 'group')).map(({ uuid, name, label }) => ({
      uuid,
      name: name || label,
    })),
    zones: zoneNames(),
    tags: suggestedTags(tags),
  })
}

/** No right value of a field is longer. */
export const LONGEST = 2_000

/** The form that a visitor sent. */
export function sentForm(sent: Form): SilenceForm {
  return sentSilenceForm(cut(sent.all, LONGEST))
}
