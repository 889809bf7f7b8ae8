# The Debian package of the program: cmake --build BUILD --target package.
set(MOTET_MAINTAINER "Motet founders <motet@example.org>" CACHE STRING "Who answers for the Debian package")
set(manual ${PROJECT_BINARY_DIR}/manual)
add_executable(motet_manual tools/manual.cpp)
target_link_libraries(motet_manual PRIVATE motet_experiments motet_embedded)
set(pages motet.1)
foreach(task ${motet_tasks})
  list(APPEND pages motet-${task}.1)
endforeach()
set(written ${pages} motet _motet motet.fish)
list(TRANSFORM written PREPEND ${manual}/)
add_custom_command(OUTPUT ${written} COMMAND motet_manual ${manual} DEPENDS motet_manual
  COMMENT "manual pages and completions" VERBATIM)

# Debian wants pages and changelogs compressed without a time inside.
set(packed "")
foreach(page ${pages})
  add_custom_command(OUTPUT ${manual}/${page}.gz COMMAND gzip -9nkf ${manual}/${page} DEPENDS ${manual}/${page} VERBATIM)
  list(APPEND packed ${manual}/${page}.gz)
endforeach()
file(READ ${PROJECT_SOURCE_DIR}/src/motet/report/vega_notice.txt notice)
string(REPLACE "This page carries" "The pages that it writes carry" notice "${notice}")
configure_file(${PROJECT_SOURCE_DIR}/packaging/copyright.in ${manual}/copyright @ONLY)
configure_file(${PROJECT_SOURCE_DIR}/packaging/changelog.in ${manual}/changelog @ONLY)
add_custom_command(OUTPUT ${manual}/changelog.gz COMMAND gzip -9nkf ${manual}/changelog DEPENDS ${manual}/changelog
  VERBATIM)
add_custom_target(motet_pages ALL DEPENDS ${packed} ${manual}/changelog.gz ${written})

install(FILES ${packed} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${manual}/motet DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
install(FILES ${manual}/_motet DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT program)
install(FILES ${manual}/motet.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
install(FILES ${manual}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/motet COMPONENT program)
install(FILES ${manual}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/motet
  COMPONENT program)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME motet)
set(CPACK_PACKAGE_VENDOR Motet)
set(CPACK_PACKAGE_CONTACT "${MOTET_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "learn from labels that are not one certain label per item")
set(CPACK_PACKAGE_DESCRIPTION "Motet is for data whose labels are several at once, a set of candidates,
only the votes of fallible judges, hidden overlapping groups, or not there at
all with rare classes to be found. It estimates how good judges are without a
truth, mines roles, trains classifiers, and finds rare events with few
questions.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
  WORLD_EXECUTE)
include(CPack)
