-- The order of the lists of checks is kept in the browser.
ALTER TABLE users DROP COLUMN list_sort;
