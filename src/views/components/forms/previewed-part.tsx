import type { Child, PropsWithChildren } from 'hono/jsx'
import { Button } from './button.js'

interface Props {
  title: string
  id?: string
  /** The address that answers with the preview of fields in its query. */
  address: string
  preview: Child
  /** Whether screen readers read the preview whenever it changes. */
  announced?: boolean
}

/** A part of a form with a preview beside it. A script keeps it up to date; without one its button does. */
export function PreviewedPart({
  title,
  id,
  address,
  preview,
  announced = true,
  children,
}: PropsWithChildren<Props>) {
  return (
    <section class="form-part with-preview" id={id}>
      <h2>{title}</h2>
      <div class="form">
        {children}
        <div class="form-end">
          <Button small name="preview" value="1">
            Preview
          </Button>
        </div>
      </div>
      <div class="preview-pane" data-preview={address} aria-live={announced ? 'polite' : undefined}>
        {preview}
      </div>
    </section>
  )
}
