interface ButtonProps {
  text: string
  label?: string
}

/** Copies a text; it shows itself only where a script can do so. */
function CopyButton({ text, label = 'Copy' }: ButtonProps) {
  return (
    <button type="button" class="button button-plain button-small copy" data-copy={text} hidden>
      {label}
    </button>
  )
}

/** A text to be copied: one line, scrolled where it is long. */
export function CopyLine({ text, label }: { text: string; label?: string }) {
  return (
    <div class="copy-line">
      <code tabindex={0}>{text}</code>
      <CopyButton text={text} {...(label === undefined ? {} : { label: `Copy ${label}` })} />
    </div>
  )
}

/** Several lines of code to be copied. */
export function CopyBlock({ text }: { text: string }) {
  return (
    <div class="copy-block">
      <pre tabindex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} />
    </div>
  )
}
