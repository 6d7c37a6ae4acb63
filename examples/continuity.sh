# Save notes for the next session, and see what it will be told.
foreword save --task api_health --done "route written" --next "register it in src/server.js" --decision "no cart access: load balancers call it every second"
foreword load
