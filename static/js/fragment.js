// Sends on what a service put into the fragment of the address, and removes it from the history.
const field = document.getElementById('fragment')
const value = new URLSearchParams(location.hash.slice(1)).get(field.name)
if (value) {
  field.value = value
  history.replaceState(null, '', location.pathname + location.search)
  field.form.submit()
}
