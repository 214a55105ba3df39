"""The analyst's desk: a workspace in the browser, the answer beside the page that it cites."""
