# The JavaScript packages of web/package-lock.json, installed into the build folder
# by npm, anew only when the lock file changed. Sets motet_node_modules.
#
#   motet_web_packages(target file...)   `target` makes the files, named within node_modules
find_program(MOTET_NPM npm)
find_program(MOTET_NODE NAMES node nodejs)
if(NOT MOTET_NPM OR NOT MOTET_NODE)
  message(FATAL_ERROR "npm was not found; it fetches Vega, which Motet's reports carry. "
    "Install nodejs and npm (apt install nodejs npm; ./motet does it for you).")
endif()

set(motet_node_modules ${CMAKE_BINARY_DIR}/web/node_modules)

function(motet_web_packages target)
  list(TRANSFORM ARGN PREPEND ${motet_node_modules}/ OUTPUT_VARIABLE files)
  set(inputs "")
  foreach(name package.json package-lock.json .npmrc)
    list(APPEND inputs ${PROJECT_SOURCE_DIR}/web/${name})
  endforeach()
  set(omit "")
  if(NOT MOTET_DEVELOPER)
    set(omit --omit=dev)
  endif()
  add_custom_command(
    OUTPUT ${files}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/web
    COMMAND ${CMAKE_COMMAND} -E copy ${inputs} ${CMAKE_BINARY_DIR}/web
    COMMAND ${CMAKE_COMMAND} -E chdir ${CMAKE_BINARY_DIR}/web ${MOTET_NPM} ci ${omit} --ignore-scripts --no-audit --no-fund --loglevel=error
    COMMAND ${CMAKE_COMMAND} -E touch ${files}
    DEPENDS ${inputs}
    COMMENT "npm ci: JavaScript packages for the reports"
    VERBATIM)
  add_custom_target(${target} DEPENDS ${files})
endfunction()
